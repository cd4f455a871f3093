-- Links that open the console signed in, once: `cairn start` and `cairn open` print them.
CREATE TABLE gateway.sign_in_link (
  hash       bytea       PRIMARY KEY,
  actor      text        NOT NULL,
  is_local   boolean     NOT NULL,
  roles      text[]      NOT NULL,
  projects   text[],               -- null: all
  key_id     text,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_link_expires_at_idx ON gateway.sign_in_link (expires_at);
-- A session that an API key has opened ends with the key.
ALTER TABLE gateway.portal_session ADD COLUMN key_id text;
