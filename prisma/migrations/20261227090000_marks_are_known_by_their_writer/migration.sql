-- Who has written marks knows them by it, and does not read them again
-- (docs/decisions/0204-marks-are-known-by-their-writer.md).

-- Marks results or takes marks away, and makes due what was made of those whose mark has come or gone. Who calls it has the lock, and
-- writes the time of the last mark.
CREATE FUNCTION artifact.write_marks(
  comparison uuid,
  -- Of each production that was compared and is not due again: whether it was new, and whether its results are stale.
  productions text[], are_new boolean[], are_stale boolean[],
  -- Of each result that stands: its production, and its type.
  makers text[], entities text[], types text[],
  -- Results that have no mark any more, those that have a new one, and those whose mark has stayed.
  OUT unmarked text[], OUT marked text[], OUT kept text[],
  -- Of the last of the new marks, which are a microsecond apart; also where none is new, so that no older comparison is written after this.
  OUT last_since timestamptz
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  flipped text[];
  moved text[];
  new_makers text[];
  new_types text[];
  before_all timestamptz;
BEGIN
  unmarked := '{}';
  IF false = ANY(are_stale) THEN
    WITH fresh AS (SELECT k.id FROM unnest(productions, are_stale) AS k(id, is_stale) WHERE NOT k.is_stale),
    gone AS (
      DELETE FROM artifact.stale_result s USING (
        SELECT m.entity_id FROM fresh JOIN artifact.stale_result m ON m.production_id = fresh.id
        UNION SELECT k.entity FROM unnest(makers, entities) AS k(maker, entity) JOIN fresh ON fresh.id = k.maker) g
      WHERE s.entity_id = g.entity_id RETURNING s.entity_id)
    SELECT coalesce(array_agg(entity_id), '{}') INTO unmarked FROM gone;
  END IF;

  -- each is looked up by itself, as are all below: there may be many marks
  SELECT coalesce(array_agg(k.entity) FILTER (WHERE s.production_id = k.maker), '{}'), array_agg(k.entity) FILTER (WHERE s.production_id <> k.maker),
    coalesce(array_agg(k.maker ORDER BY k.n) FILTER (WHERE s.production_id IS DISTINCT FROM k.maker), '{}'),
    coalesce(array_agg(k.entity ORDER BY k.n) FILTER (WHERE s.production_id IS DISTINCT FROM k.maker), '{}'),
    coalesce(array_agg(k.type ORDER BY k.n) FILTER (WHERE s.production_id IS DISTINCT FROM k.maker), '{}')
  INTO kept, moved, new_makers, marked, new_types
  FROM unnest(makers, entities, types) WITH ORDINALITY AS k(maker, entity, type, n)
  JOIN unnest(productions, are_stale) AS c(id, is_stale) ON c.id = k.maker AND c.is_stale
  LEFT JOIN artifact.stale_result s ON s.entity_id = k.entity;

  -- times do not go back with the clock
  SELECT greatest(clock_timestamp(), b.marked_at, (SELECT max(since) FROM artifact.stale_result)) + interval '1 microsecond' INTO before_all FROM artifact.staleness_basis b;
  last_since := before_all + cardinality(marked) * interval '1 microsecond';
  IF kept <> '{}' THEN
    UPDATE artifact.stale_result s SET compared = comparison FROM unnest(kept) AS k(entity) WHERE s.entity_id = k.entity;
  END IF;
  IF moved IS NOT NULL THEN
    DELETE FROM artifact.stale_result s USING unnest(moved) AS k(entity) WHERE s.entity_id = k.entity;
  END IF;
  IF marked <> '{}' THEN
    -- most are made of nothing of a project
    IF EXISTS (SELECT FROM artifact.production_project WHERE production_id = ANY(new_makers)) THEN
      INSERT INTO artifact.stale_result (entity_id, entity_type, production_id, since, projects, rule, compared)
      SELECT m.entity, m.type, p.id, before_all + m.n * interval '1 microsecond',
        CASE WHEN EXISTS (SELECT FROM artifact.production_project n WHERE n.production_id = p.id)
          THEN ARRAY(SELECT named.project FROM artifact.production_projects(p.criteria, p.plan) AS named(project)) ELSE '{}' END, p.rule, comparison
      FROM unnest(new_makers, marked, new_types) WITH ORDINALITY AS m(maker, entity, type, n) JOIN artifact.production p ON p.id = m.maker;
    ELSE
      INSERT INTO artifact.stale_result (entity_id, entity_type, production_id, since, projects, rule, compared)
      SELECT m.entity, m.type, p.id, before_all + m.n * interval '1 microsecond', '{}', p.rule, comparison
      FROM unnest(new_makers, marked, new_types) WITH ORDINALITY AS m(maker, entity, type, n) JOIN artifact.production p ON p.id = m.maker;
    END IF;
  END IF;

  -- what was made of these is compared again
  flipped := unmarked || marked;
  IF true = ANY(are_new) THEN
    SELECT flipped || coalesce(array_agg(k.entity), '{}') INTO flipped FROM unnest(makers, entities) AS k(maker, entity)
    JOIN unnest(productions, are_new) AS c(id, is_new) ON c.id = k.maker WHERE c.is_new;
  END IF;
  IF flipped <> '{}' THEN
    INSERT INTO artifact.staleness_due (kind, id)
    SELECT DISTINCT 'production', p.id FROM unnest(flipped) AS k(id) JOIN artifact.production p ON jsonb_path_query_array(p.plan, '$.requires[*].entity_id') ? k.id
    WHERE p.status = 'completed' AND p.runner IS NOT NULL ORDER BY 2
    ON CONFLICT (kind, id) DO UPDATE SET stamp = gen_random_uuid();
  END IF;
END $$;

-- As before, by the function above.
CREATE OR REPLACE FUNCTION artifact.keep_compared(
  comparison uuid, productions text[], stamps uuid[], are_new boolean[], are_stale boolean[], makers text[], entities text[], types text[]
) RETURNS boolean LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  settled text[];
  new_ones boolean[];
  stale_ones boolean[];
  last timestamptz;
BEGIN
  PERFORM FROM artifact.staleness_basis FOR UPDATE;
  -- those that have become due again since are compared again
  WITH done AS (
    DELETE FROM artifact.staleness_due d USING unnest(productions, stamps) AS k(id, stamp)
    WHERE (d.kind, d.id, d.stamp) = ('production', k.id, k.stamp) RETURNING d.id)
  SELECT array_agg(k.id ORDER BY k.n), array_agg(k.is_new ORDER BY k.n), array_agg(k.is_stale ORDER BY k.n) INTO settled, new_ones, stale_ones
  FROM unnest(productions, are_new, are_stale) WITH ORDINALITY AS k(id, is_new, is_stale, n) JOIN done ON done.id = k.id;
  IF settled IS NULL THEN RETURN true; END IF;
  SELECT w.last_since INTO last FROM artifact.write_marks(comparison, settled, new_ones, stale_ones, makers, entities, types) w;
  UPDATE artifact.staleness_basis SET marked_at = last;
  RETURN EXISTS (SELECT FROM artifact.staleness_due);
END $$;

-- `keep_changed` is that of processes of the version before, which run beside these for a while; this one tells what it has written.
CREATE FUNCTION artifact.keep_few(
  -- What marks were in when the look began, the times of the last changes of types that have changed, and until when all was looked at then.
  looked text, changed jsonb, until timestamptz,
  comparison uuid, productions text[], are_stale boolean[], makers text[], entities text[], types text[],
  -- Null, and nothing is written, where anything was looked at, compared, or became due since.
  OUT is_due boolean,
  -- What marks are in now.
  OUT state text,
  OUT unmarked text[], OUT marked text[], OUT kept text[], OUT last_since timestamptz
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rules bigint;
BEGIN
  PERFORM FROM artifact.staleness_basis FOR UPDATE;
  -- a statement of its own, which sees what was committed by whom it has waited for
  SELECT artifact.staleness_state(b.positions, b.marked_at, r.revision, EXISTS (SELECT FROM artifact.staleness_due)), r.revision INTO state, rules
  FROM artifact.staleness_basis b CROSS JOIN artifact.rule_revision r;
  IF state IS DISTINCT FROM looked THEN RETURN; END IF;
  -- what is lost of it with the machine is looked at again
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT w.unmarked, w.marked, w.kept, w.last_since INTO unmarked, marked, kept, last_since
  FROM artifact.write_marks(comparison, productions, array_fill(false, ARRAY[cardinality(productions)]), are_stale, makers, entities, types) w;
  is_due := EXISTS (SELECT FROM artifact.staleness_due);
  UPDATE artifact.staleness_basis b
  SET positions = b.positions || changed, marked_at = last_since, complete_at = CASE WHEN is_due THEN b.complete_at ELSE greatest(b.complete_at, until) END
  RETURNING artifact.staleness_state(b.positions, b.marked_at, rules, is_due) INTO state;
END $$;
