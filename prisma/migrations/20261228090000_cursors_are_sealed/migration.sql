-- The key of cursors, which all processes share (docs/decisions/0217-cursors-are-sealed.md). The next migration makes it.
CREATE TABLE gateway.cursor_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  key     bytea   NOT NULL CHECK (octet_length(key) = 32)
);
