-- How far polls have come names entities of every project, and was everybody's to read and to change. Poll cursors belong to a project that nobody is in:
-- only those of all projects see them, now and in what they were. Their data stay as they are, so no event is written.
DO $$
DECLARE
  own CONSTANT text := '(platform)'; -- PLATFORM_PROJECT of subgraphs/metadata/entities/project-of.ts
BEGIN
  IF EXISTS (SELECT FROM metadata.entity WHERE entity_type = 'PollCursor') THEN
    -- states that have ended stay as they were but for who may see them
    ALTER TABLE metadata.entity_history DISABLE TRIGGER entity_history_no_update;
    UPDATE metadata.entity_history SET project = own WHERE entity_type = 'PollCursor';
    ALTER TABLE metadata.entity_history ENABLE ALWAYS TRIGGER entity_history_no_update;
    UPDATE metadata.entity SET project = own WHERE entity_type = 'PollCursor';
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
