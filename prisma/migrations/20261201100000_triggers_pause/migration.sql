-- Pauses of triggers, by name: they outlast a change of the configuration. What was due before `resumed_at` is not
-- caught up with.
CREATE TABLE workflow.trigger_pause (
  trigger_name text PRIMARY KEY,
  paused_at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  paused_by text NOT NULL,
  reason text,
  resumed_at timestamptz(6)
);
