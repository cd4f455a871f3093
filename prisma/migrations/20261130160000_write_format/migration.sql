-- The form in which the log is written. A migration that versions before it must not write beside raises it, with
-- the log's lock held: `SELECT metadata.open_log(); UPDATE metadata.write_format SET format = <next>`.
CREATE TABLE metadata.write_format (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  format  integer NOT NULL
);
INSERT INTO metadata.write_format (format) VALUES (1);

-- Refuses a session of a version that does not know the present form; it says which one it knows by
-- `cairn.write_format`, and 1 by nothing. With its owner's rights: rights of a new table are granted after migrations.
CREATE FUNCTION metadata.assert_write_format() RETURNS void LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  present integer := (SELECT format FROM metadata.write_format);
BEGIN
  IF present > coalesce(nullif(current_setting('cairn.write_format', true), ''), '1')::integer THEN
    RAISE EXCEPTION 'a newer version of Cairn has changed what is written (form %)', present USING ERRCODE = 'CA004';
  END IF;
END $$;

CREATE OR REPLACE FUNCTION metadata.open_log() RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  PERFORM pg_catalog.pg_advisory_xact_lock(4847307193528361);
  PERFORM metadata.assert_write_format();
  RETURN (SELECT coalesce(max(revision), 0) FROM metadata.schema_revision);
END $$;
