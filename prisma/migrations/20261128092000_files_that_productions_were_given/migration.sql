-- The files that a production was given, as they were then: `{location, hash, name, size, entity_id, field}`. Null for productions from before.
ALTER TABLE artifact.production ADD COLUMN input_files jsonb;
