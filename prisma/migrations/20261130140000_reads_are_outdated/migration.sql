-- What a write has read before it had the log's lock was changed before it had the lock.
CREATE FUNCTION metadata.reads_are_outdated() RETURNS void LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION 'what was read has changed' USING ERRCODE = 'CA003';
END $$;
