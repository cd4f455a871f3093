-- One identity, one entity: the values of the fields that a rule's `match` names, of a type and within a project ('' where an entity belongs to none). The key decides, whoever makes it at the same time.
CREATE TABLE artifact.entity_identity (
  entity_type   text NOT NULL,
  project       text NOT NULL,
  identity      text NOT NULL,
  entity_id     text NOT NULL,
  -- The latest production that has made it.
  production_id text NOT NULL,
  PRIMARY KEY (entity_type, project, identity)
);
CREATE INDEX entity_identity_entity_id_idx ON artifact.entity_identity (entity_id);
