-- Requests that may still be made, where several processes count together. After a crash every bucket is full again.

-- key: SHA-256 of whom it counts for. full_at: when all tokens are back; a row whose time has passed says nothing and is swept.
CREATE UNLOGGED TABLE gateway.rate_bucket (
  key     bytea       PRIMARY KEY,
  full_at timestamptz NOT NULL,
  granted integer     NOT NULL
) WITH (fillfactor = 50);
