-- Most results are made of nothing of a project: this is looked up, so that their whole plans are not searched
-- (docs/decisions/0199-one-change-is-found-by-its-position.md).
CREATE INDEX production_project_production_id_idx ON artifact.production_project (production_id);

-- As before otherwise.
CREATE OR REPLACE FUNCTION artifact.mark_results(
  comparison uuid,
  -- Of each production that was compared and is not due again: whether it was new, and whether its results are stale.
  productions text[], are_new boolean[], are_stale boolean[],
  -- Of each result that stands: its production, and its type.
  makers text[], entities text[], types text[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  flipped text[] := '{}';
  marks_made_by text[];
  marks text[];
  marks_of text[];
  first_since timestamptz(6);
BEGIN
  IF false = ANY(are_stale) THEN
    WITH fresh AS (SELECT k.id FROM unnest(productions, are_stale) AS k(id, is_stale) WHERE NOT k.is_stale),
    unmarked AS (
      DELETE FROM artifact.stale_result s USING (
        SELECT m.entity_id FROM fresh JOIN artifact.stale_result m ON m.production_id = fresh.id
        UNION SELECT k.entity FROM unnest(makers, entities) AS k(maker, entity) JOIN fresh ON fresh.id = k.maker) gone
      WHERE s.entity_id = gone.entity_id RETURNING s.entity_id)
    SELECT coalesce(array_agg(entity_id), '{}') INTO flipped FROM unmarked;
  END IF;

  UPDATE artifact.stale_result s SET compared = comparison
  FROM unnest(makers, entities) AS k(maker, entity) JOIN unnest(productions, are_stale) AS c(id, is_stale) ON c.id = k.maker
  WHERE s.entity_id = k.entity AND s.production_id = k.maker AND c.is_stale;
  SELECT array_agg(k.maker ORDER BY k.n), array_agg(k.entity ORDER BY k.n), array_agg(k.type ORDER BY k.n) INTO marks_made_by, marks, marks_of
  FROM unnest(makers, entities, types) WITH ORDINALITY AS k(maker, entity, type, n)
  JOIN unnest(productions, are_stale) AS c(id, is_stale) ON c.id = k.maker
  WHERE c.is_stale AND NOT EXISTS (SELECT FROM artifact.stale_result s WHERE s.entity_id = k.entity AND s.production_id = k.maker);
  -- times do not go back with the clock; it moves as well where nothing but a comparison is new, so that no older one is written after it
  UPDATE artifact.staleness_basis
  SET marked_at = greatest(clock_timestamp(), marked_at, (SELECT max(since) FROM artifact.stale_result)) + (1 + coalesce(cardinality(marks), 0)) * interval '1 microsecond'
  RETURNING marked_at - coalesce(cardinality(marks), 0) * interval '1 microsecond' INTO first_since;
  IF marks IS NOT NULL THEN
    WITH marked AS (
      INSERT INTO artifact.stale_result AS s (entity_id, entity_type, production_id, since, projects, rule, compared)
      SELECT m.entity, m.type, p.id, first_since + m.n * interval '1 microsecond',
        CASE WHEN EXISTS (SELECT FROM artifact.production_project n WHERE n.production_id = p.id)
          THEN ARRAY(SELECT named.project FROM artifact.production_projects(p.criteria, p.plan) AS named(project)) ELSE '{}' END, p.rule, comparison
      FROM unnest(marks_made_by, marks, marks_of) WITH ORDINALITY AS m(maker, entity, type, n) JOIN artifact.production p ON p.id = m.maker
      ON CONFLICT (entity_id) DO UPDATE SET production_id = excluded.production_id, entity_type = excluded.entity_type, since = excluded.since,
        projects = excluded.projects, rule = excluded.rule, compared = excluded.compared
      RETURNING s.entity_id)
    SELECT flipped || coalesce(array_agg(entity_id), '{}') INTO flipped FROM marked;
  END IF;

  -- what was made of these is compared again, each looked up by itself: for many PostgreSQL would read all productions
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
