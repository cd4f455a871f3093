-- What a production was asked for by whom, and how far it has come.
ALTER TABLE artifact.production
  ADD COLUMN parameters     jsonb   NOT NULL DEFAULT '{}',
  ADD COLUMN requested_rule text,
  ADD COLUMN caller         jsonb   NOT NULL DEFAULT '{}',
  ADD COLUMN attempts       integer NOT NULL DEFAULT 0,
  ADD COLUMN inputs         jsonb   NOT NULL DEFAULT '{}',
  ADD COLUMN produced       jsonb   NOT NULL DEFAULT '[]',
  ADD COLUMN runner         text,
  ADD COLUMN log            text;

-- Equal requests share one production while it is under way: the database itself lets no second one in.
CREATE UNIQUE INDEX production_under_way_key ON artifact.production (request_key) WHERE status IN ('queued', 'running');
-- The queue, oldest first, and leases that have run out.
CREATE INDEX production_queue_idx ON artifact.production (requested_at, id) WHERE status IN ('queued', 'running');

-- Who waits for a production: it is stopped on request only when nobody does any more.
CREATE TABLE artifact.production_waiter (
  production_id text        NOT NULL,
  waiter        text        NOT NULL,
  since         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (production_id, waiter)
);

-- Results that must not be used again, and why.
CREATE TABLE artifact.not_reusable (
  entity_id text        PRIMARY KEY,
  reason    text        NOT NULL,
  actor     text        NOT NULL,
  since     timestamptz NOT NULL DEFAULT now()
);

-- A file keeps its name: tools tell formats by it. Files that were fetched remember from where.
ALTER TABLE artifact.artifact_entity ADD COLUMN entity_type text, ADD COLUMN name text, ADD COLUMN source text;
CREATE INDEX stored_object_last_used_at_idx ON artifact.stored_object (last_used_at) WHERE evicted_at IS NULL;
