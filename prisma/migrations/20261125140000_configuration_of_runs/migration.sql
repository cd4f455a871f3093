-- By which configuration a run was queued: whoever runs by another leaves it, as long as somebody runs by this one.
ALTER TABLE workflow.run ADD COLUMN configuration text;

-- Processes that take runs, and by which configuration. One that has not been seen for a while has ended.
CREATE TABLE workflow.engine (
  owner         text        PRIMARY KEY,
  configuration text        NOT NULL,
  seen_at       timestamptz NOT NULL
);
