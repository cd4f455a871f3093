-- What a webhook has accepted, by the body's digest: an equal one inside the trigger's window is answered with the same run.
CREATE TABLE workflow.delivery (
  trigger_name text        NOT NULL,
  digest       bytea       NOT NULL,
  run_id       text        NOT NULL,
  accepted_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (trigger_name, digest)
);

-- The last complete run of a trigger: where its next incremental pull begins.
CREATE INDEX run_trigger_name_complete_idx ON workflow.run (trigger_name, queued_at) WHERE status IN ('success', 'partial_success');
