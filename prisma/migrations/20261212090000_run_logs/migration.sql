-- What a run has done, line by line, for people to read (docs/decisions/0170-run-logs-are-rows.md). Only inserted; gone with its run.
CREATE TABLE workflow.run_log (
  run_id    text           NOT NULL REFERENCES workflow.run (id) ON DELETE CASCADE,
  number    integer        NOT NULL,
  attempt   integer        NOT NULL,
  at        timestamptz(6) NOT NULL,
  level     text           NOT NULL CHECK (level IN ('info', 'warn', 'error')),
  message   text           NOT NULL,
  -- bytes of the log with this line
  size      integer        NOT NULL,
  -- for reads as of a time
  stored_at timestamptz(6) NOT NULL DEFAULT workflow.change_time(),
  PRIMARY KEY (run_id, number)
);
