-- Which request told an actor of a plan last, so that a production that is asked for by the plan's hash leads back to it. It is kept
-- for as long as somebody may still ask so.
CREATE TABLE artifact.resolved_plan (
  plan_hash text NOT NULL,
  actor text NOT NULL,
  request_id uuid NOT NULL,
  at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (plan_hash, actor)
);
CREATE INDEX resolved_plan_at_idx ON artifact.resolved_plan (at);
-- Of each actor the last ones are kept.
CREATE INDEX resolved_plan_actor_at_idx ON artifact.resolved_plan (actor, at);

-- Those that have led to a production: several, if it was joined.
CREATE TABLE artifact.production_resolve (
  production_id text NOT NULL,
  request_id uuid NOT NULL,
  at timestamptz(6) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (production_id, request_id)
);
CREATE INDEX production_resolve_request_id_idx ON artifact.production_resolve (request_id);
