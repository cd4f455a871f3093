-- Tokens and sign-in: what issuing, rotating and revoking need beside the first tables.

-- A key is published before it signs; one that signs no more loses its private half and stays until its tokens are gone.
ALTER TABLE gateway.signing_key ADD COLUMN active_from timestamptz NOT NULL DEFAULT now();
ALTER TABLE gateway.signing_key ALTER COLUMN private_jwk DROP NOT NULL;

-- All that came of one sign-in. access_until: when the last of its access tokens expires.
ALTER TABLE gateway.token_family ADD COLUMN created_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE gateway.token_family ADD COLUMN access_until timestamptz NOT NULL DEFAULT now();
CREATE INDEX token_family_actor_idx ON gateway.token_family (actor);
CREATE INDEX token_family_created_at_idx ON gateway.token_family (created_at);
CREATE INDEX token_family_revoked_key ON gateway.token_family (access_until) WHERE revoked_at IS NOT NULL;
CREATE INDEX token_family_api_key_key ON gateway.token_family (access_until) WHERE client_id LIKE 'key\_%';

-- The access tokens under way, so that one can be revoked by its jti alone.
CREATE TABLE gateway.access_token (
  jti        text        PRIMARY KEY,
  family_id  uuid        NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX access_token_family_id_idx ON gateway.access_token (family_id);
CREATE INDEX access_token_expires_at_idx ON gateway.access_token (expires_at);

CREATE INDEX refresh_token_expires_at_idx ON gateway.refresh_token (expires_at);
CREATE INDEX device_code_expires_at_idx ON gateway.device_code (expires_at);
CREATE INDEX authorization_code_expires_at_idx ON gateway.authorization_code (expires_at);
CREATE INDEX revoked_jti_expires_at_idx ON gateway.revoked_jti (expires_at);

-- Who is signed in at the portal's pages; of the cookie only the SHA-256 is kept. projects null means all projects.
-- is_local: a local account, whose roles and projects count as they are now; else what the identity provider said.
CREATE TABLE gateway.portal_session (
  hash          bytea       PRIMARY KEY,
  actor         text        NOT NULL,
  is_local      boolean     NOT NULL,
  roles         text[]      NOT NULL,
  projects      text[],
  wrong_entries integer     NOT NULL DEFAULT 0,
  created_at    timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL
);
CREATE INDEX portal_session_actor_idx ON gateway.portal_session (actor);
CREATE INDEX portal_session_expires_at_idx ON gateway.portal_session (expires_at);

-- Failed sign-ins of late, by account and address, and by address alone.
CREATE TABLE gateway.sign_in_failure (
  subject  bytea       PRIMARY KEY,
  failures integer     NOT NULL,
  since    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sign_in_failure_since_idx ON gateway.sign_in_failure (since);
