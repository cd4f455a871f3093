-- A project is one text. Entities whose `project` is a list, an object, a number or an empty text were visible to all: they belong to a project that nobody
-- is in, until somebody with access to all projects gives them one. Their data stay as they are, so no event is written.
DO $$
DECLARE
  hidden CONSTANT text := '(unreadable)'; -- UNREADABLE_PROJECT of subgraphs/metadata/entities/project-of.ts
BEGIN
  -- states that have ended stay as they were but for who may see them
  ALTER TABLE metadata.entity_history DISABLE TRIGGER entity_history_no_update;
  UPDATE metadata.entity_history SET project = hidden WHERE data ? 'project' AND (jsonb_typeof(data -> 'project') NOT IN ('string', 'null') OR data ->> 'project' IN ('', hidden));
  ALTER TABLE metadata.entity_history ENABLE ALWAYS TRIGGER entity_history_no_update;
  UPDATE metadata.entity SET project = hidden WHERE data ? 'project' AND (jsonb_typeof(data -> 'project') NOT IN ('string', 'null') OR data ->> 'project' IN ('', hidden));
  IF EXISTS (SELECT FROM metadata.entity WHERE project = hidden) OR EXISTS (SELECT FROM metadata.entity_history WHERE project = hidden) THEN
    DELETE FROM metadata.entity_count;
    INSERT INTO metadata.entity_count (entity_type, project, is_available, n)
      SELECT entity_type, coalesce(project, ''), is_available, count(*) FROM metadata.entity GROUP BY 1, 2, 3;
    -- kept counts of the past are of the old projects: what is before this moment is counted from the log
    DELETE FROM metadata.entity_count_at;
    INSERT INTO metadata.entity_count_at (position, entity_type, project, is_available, n)
      SELECT (SELECT max(position) FROM metadata.provenance), entity_type, project, is_available, n FROM metadata.entity_count;
  END IF;
END
$$;
