-- The backups of this database, as "cairn backup" records them (docs/decisions/0198-backups-record-themselves.md).
CREATE TABLE gateway.backup (
  id text PRIMARY KEY,
  kind text NOT NULL,
  destination text NOT NULL,
  encrypted boolean NOT NULL,
  host text NOT NULL,
  actor text NOT NULL,
  status text NOT NULL DEFAULT 'running',
  error text,
  -- Of a completed one: what it holds, the last event that it has, and files that the store had lost.
  bytes bigint,
  position bigint,
  lost_files integer,
  started_at timestamptz(6) NOT NULL DEFAULT now(),
  finished_at timestamptz(6),
  -- When this database was made from it.
  restored_at timestamptz(6)
);
CREATE INDEX backup_started_at_id_idx ON gateway.backup (started_at, id);
