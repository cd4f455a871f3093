-- What was compared is written with one statement (docs/decisions/0194-one-change-takes-few-statements.md). Each of its own sees what
-- others have committed before this transaction had the lock.
CREATE FUNCTION artifact.keep_compared(
  comparison uuid,
  -- Of each production that was compared: the stamp by which it was due, whether it was new, and whether its results are stale.
  productions text[], stamps uuid[], are_new boolean[], are_stale boolean[],
  -- Of each result that stands: its production, and its type.
  makers text[], entities text[], types text[]
-- Whether anything is due after it.
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  standing text[];
  flipped text[];
  marks jsonb;
  first_since timestamptz(6);
BEGIN
  PERFORM FROM artifact.staleness_basis FOR UPDATE;
  -- those that have become due again since are compared again
  WITH settled AS (
    DELETE FROM artifact.staleness_due d USING unnest(productions, stamps) AS k(id, stamp)
    WHERE (d.kind, d.id, d.stamp) = ('production', k.id, k.stamp) RETURNING d.id)
  SELECT array_agg(id) INTO standing FROM settled;
  IF standing IS NULL THEN RETURN true; END IF;

  WITH fresh AS (SELECT k.id FROM unnest(productions, are_stale) AS k(id, is_stale) WHERE NOT k.is_stale AND k.id = ANY(standing)),
  unmarked AS (
    DELETE FROM artifact.stale_result WHERE production_id IN (SELECT id FROM fresh)
      OR entity_id IN (SELECT k.entity FROM unnest(makers, entities) AS k(maker, entity) JOIN fresh ON fresh.id = k.maker)
    RETURNING entity_id)
  SELECT coalesce(array_agg(entity_id), '{}') INTO flipped FROM unmarked;

  SELECT coalesce(jsonb_agg(jsonb_build_object('entity', k.entity, 'type', k.type, 'maker', k.maker) ORDER BY k.n), '[]') INTO marks
  FROM unnest(makers, entities, types) WITH ORDINALITY AS k(maker, entity, type, n)
  JOIN unnest(productions, are_stale) AS c(id, is_stale) ON c.id = k.maker
  WHERE c.is_stale AND c.id = ANY(standing);
  UPDATE artifact.stale_result s SET compared = comparison FROM jsonb_to_recordset(marks) AS m(entity text, maker text)
  WHERE s.entity_id = m.entity AND s.production_id = m.maker;
  SELECT coalesce(jsonb_agg(m.mark ORDER BY m.n), '[]') INTO marks FROM jsonb_array_elements(marks) WITH ORDINALITY AS m(mark, n)
  WHERE NOT EXISTS (SELECT FROM artifact.stale_result s WHERE s.entity_id = m.mark ->> 'entity' AND s.production_id = m.mark ->> 'maker');
  IF marks <> '[]' THEN
    -- times do not go back with the clock
    UPDATE artifact.staleness_basis
    SET marked_at = greatest(clock_timestamp(), marked_at, (SELECT max(since) FROM artifact.stale_result)) + jsonb_array_length(marks) * interval '1 microsecond'
    RETURNING marked_at - jsonb_array_length(marks) * interval '1 microsecond' INTO first_since;
    WITH marked AS (
      INSERT INTO artifact.stale_result AS s (entity_id, entity_type, production_id, since, projects, rule, compared)
      SELECT m.mark ->> 'entity', m.mark ->> 'type', p.id, first_since + m.n * interval '1 microsecond',
        ARRAY(SELECT artifact.production_projects(p.criteria, p.plan)), p.rule, comparison
      FROM jsonb_array_elements(marks) WITH ORDINALITY AS m(mark, n) JOIN artifact.production p ON p.id = m.mark ->> 'maker'
      ON CONFLICT (entity_id) DO UPDATE SET production_id = excluded.production_id, entity_type = excluded.entity_type, since = excluded.since,
        projects = excluded.projects, rule = excluded.rule, compared = excluded.compared
      RETURNING s.entity_id)
    SELECT flipped || coalesce(array_agg(entity_id), '{}') INTO flipped FROM marked;
  END IF;

  -- what was made of these is compared again, each looked up by itself: for many PostgreSQL would read all productions
  SELECT flipped || coalesce(array_agg(k.entity), '{}') INTO flipped FROM unnest(makers, entities) AS k(maker, entity)
  JOIN unnest(productions, are_new) AS c(id, is_new) ON c.id = k.maker WHERE c.is_new AND c.id = ANY(standing);
  IF flipped <> '{}' THEN
    INSERT INTO artifact.staleness_due (kind, id)
    SELECT DISTINCT 'production', p.id FROM unnest(flipped) AS k(id) JOIN artifact.production p ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? k.id
    WHERE p.status = 'completed' AND p.runner IS NOT NULL ORDER BY 2
    ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid();
  END IF;
  RETURN EXISTS (SELECT FROM artifact.staleness_due);
END $$;
