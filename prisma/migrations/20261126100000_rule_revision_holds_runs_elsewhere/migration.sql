-- Counts up whenever a rule is registered or changes: what a process remembers of rules holds as long as this stands still.
CREATE TABLE artifact.rule_revision (
  id       integer PRIMARY KEY CHECK (id = 1),
  revision bigint  NOT NULL
);
INSERT INTO artifact.rule_revision (id, revision) VALUES (1, 1);

CREATE FUNCTION artifact.count_rule_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE artifact.rule_revision SET revision = revision + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER rule_revision AFTER INSERT OR UPDATE OR DELETE ON artifact.rule FOR EACH STATEMENT EXECUTE FUNCTION artifact.count_rule_revision();

-- The run of a production at a service elsewhere, and what was given to it: whoever begins the production again takes it up.
ALTER TABLE artifact.production ADD COLUMN run_elsewhere jsonb;
CREATE INDEX production_run_elsewhere_idx ON artifact.production (finished_at) WHERE run_elsewhere IS NOT NULL;

-- Content that productions need or have made: it is not evicted while they are under way. The reference makes whoever holds and whoever evicts wait for each other.
CREATE TABLE artifact.held_object (
  hash          text NOT NULL REFERENCES artifact.stored_object (hash),
  production_id text NOT NULL,
  PRIMARY KEY (hash, production_id)
);
