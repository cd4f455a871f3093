-- Look-ups that had none: productions by what they produced and in order, relationships by their type.
CREATE INDEX production_entity_ids_idx ON artifact.production USING gin (entity_ids);
CREATE INDEX production_requested_at_id_idx ON artifact.production (requested_at, id);
CREATE INDEX relationship_relationship_type_created_event_idx ON metadata.relationship (relationship_type, created_event);
