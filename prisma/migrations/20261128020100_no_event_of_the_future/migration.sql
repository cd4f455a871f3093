-- The time of the next event, as before; but none beyond what the writer allows (`cairn.latest_time` of its transaction, in microseconds since 1970,
-- which servers set by their own clocks): a log that was stamped once in the future would stay there. Refused before the clock is moved.
CREATE OR REPLACE FUNCTION metadata.event_time() RETURNS timestamptz LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  locked text := pg_advisory_xact_lock(4847307193528361);
  tick bigint := greatest((extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_sequence_last_value('metadata.event_clock') + 1);
  latest text := current_setting('cairn.latest_time', true);
BEGIN
  IF latest <> '' AND tick > latest::bigint THEN
    RAISE EXCEPTION 'the next event would be of %', to_char((timestamptz 'epoch' + tick * interval '1 microsecond') AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') USING ERRCODE = 'CA002';
  END IF;
  RETURN timestamptz 'epoch' + setval('metadata.event_clock', tick) * interval '1 microsecond';
END $$;
