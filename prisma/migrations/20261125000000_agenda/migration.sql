-- Agenda's jobs, as its PostgreSQL backend lays them out, made here because several processes that make them at once collide.
-- A job says when to look at a trigger; what has fired is in workflow.firing.
CREATE TABLE workflow.agenda_jobs (
  id                  uuid         PRIMARY KEY DEFAULT gen_random_uuid(),
  name                varchar(255) NOT NULL,
  priority            integer      NOT NULL DEFAULT 0,
  next_run_at         timestamptz,
  type                varchar(10)  NOT NULL DEFAULT 'normal' CHECK (type IN ('normal', 'single')),
  locked_at           timestamptz,
  last_finished_at    timestamptz,
  failed_at           timestamptz,
  fail_count          integer,
  fail_reason         text,
  repeat_timezone     varchar(100),
  last_run_at         timestamptz,
  repeat_interval     varchar(255),
  data                jsonb        NOT NULL DEFAULT '{}',
  repeat_at           varchar(255),
  disabled            boolean      NOT NULL DEFAULT false,
  progress            real,
  fork                boolean      NOT NULL DEFAULT false,
  last_modified_by    varchar(255),
  debounce_started_at timestamptz,
  start_date          timestamptz,
  end_date            timestamptz,
  skip_days           jsonb,
  created_at          timestamptz  NOT NULL DEFAULT now(),
  updated_at          timestamptz  NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX agenda_jobs_key_idx ON workflow.agenda_jobs (name, (data->>'key'));
CREATE INDEX agenda_jobs_due_idx ON workflow.agenda_jobs (name, next_run_at, priority DESC) WHERE disabled = false;
CREATE INDEX agenda_jobs_locked_at_idx ON workflow.agenda_jobs (name, locked_at) WHERE locked_at IS NOT NULL;
