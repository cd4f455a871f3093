-- An event that changes nothing of an entity ends no state of it: only what changed is kept again.
-- state_event: position of the event that made the present state; last_event may be later.
ALTER TABLE metadata.entity ADD COLUMN state_event bigint;
UPDATE metadata.entity SET state_event = last_event;
ALTER TABLE metadata.entity ALTER COLUMN state_event SET NOT NULL;

-- What still stands from before a moment is told in the index itself.
DROP INDEX metadata.entity_entity_type_first_event_last_event_idx;
CREATE INDEX entity_entity_type_first_event_state_event_idx ON metadata.entity (entity_type, first_event, state_event);

-- The order of change is that of events, no longer that of states.
DROP INDEX metadata.entity_history_entity_type_from_event_to_event_idx;
