-- The project that an entity was in when it got a file: one that has moved since does not bring its former files along. '' for none, null where unknown.
ALTER TABLE artifact.artifact_entity ADD COLUMN given_in text;
UPDATE artifact.artifact_entity x SET given_in = coalesce(s.project, '')
FROM (SELECT id, version, project FROM metadata.entity UNION ALL SELECT id, version, project FROM metadata.entity_history) s
WHERE x.uploaded_by IS NOT NULL AND s.id = x.entity_id AND s.version = x.entity_version;
