-- The key of cursors, which all processes share (docs/decisions/0217-cursors-are-sealed.md): 244 random bits.
CREATE TABLE gateway.cursor_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key     bytea   NOT NULL CHECK (octet_length(key) = 32)
);
INSERT INTO gateway.cursor_key (key) VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));
