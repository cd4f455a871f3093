-- The files that each production made, as its last attempt recorded them: another production of the entity, or an upload, takes its place
-- in artifact.artifact_entity (docs/decisions/0195-productions-keep-their-outputs.md).
CREATE TABLE artifact.production_output (
  production_id text NOT NULL,
  entity_id     text NOT NULL,
  field         text NOT NULL,
  hash          text NOT NULL,
  PRIMARY KEY (production_id, entity_id, field)
);
CREATE INDEX production_output_hash_idx ON artifact.production_output (hash);

-- Triggers, so that processes of the version before tell of them, too.
CREATE FUNCTION artifact.note_outputs() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO artifact.production_output (production_id, entity_id, field, hash)
  VALUES (NEW.production_id, NEW.entity_id, NEW.field, NEW.hash)
  ON CONFLICT (production_id, entity_id, field) DO UPDATE SET hash = excluded.hash;
  RETURN NULL;
END $$;
CREATE TRIGGER production_outputs AFTER INSERT OR UPDATE ON artifact.artifact_entity FOR EACH ROW
  WHEN (NEW.production_id IS NOT NULL) EXECUTE FUNCTION artifact.note_outputs();

-- Of files that were replaced before this nothing says which production made them.
INSERT INTO artifact.production_output (production_id, entity_id, field, hash)
SELECT production_id, entity_id, field, hash FROM artifact.artifact_entity WHERE production_id IS NOT NULL;
