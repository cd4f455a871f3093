-- Takes the log's lock for a writer that has made up its mind by the schemas of one revision; refuses where they have changed since.
CREATE FUNCTION metadata.open_log_at(expected bigint) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  revision bigint := metadata.open_log();
BEGIN
  IF revision <> expected THEN
    RAISE EXCEPTION 'the schemas have changed: revision %, not %', revision, expected USING ERRCODE = 'CA001';
  END IF;
  RETURN revision;
END $$;
