-- What a production was planned with that was asked for by the hash of a refresh: it uses nothing else
-- (docs/reference/artifact.md#refresh). Processes of the version before make it as any other.
CREATE TABLE artifact.pinned_plan (
  production_id text PRIMARY KEY,
  pin jsonb NOT NULL
);
