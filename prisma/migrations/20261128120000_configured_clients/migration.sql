-- Clients of the configuration file as they were at the last start: what has changed since is recorded at the next.
CREATE TABLE gateway.configured_client (
  client_id   text        PRIMARY KEY,
  definition  jsonb       NOT NULL, -- without the secret
  secret_hash text,                 -- scrypt, salted: whether it is another one; null for a public client
  since       timestamptz NOT NULL DEFAULT now()
);
