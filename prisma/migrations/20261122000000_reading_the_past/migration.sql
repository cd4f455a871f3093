-- Reading the past as fast as the present: indexes over states that have ended, and counts kept along the log.

-- How many entities there were at a position of the log: all counts of that moment, every so many events. Written once.
CREATE TABLE metadata.entity_count_at (
  position     bigint  NOT NULL,
  entity_type  text    NOT NULL,
  project      text    NOT NULL DEFAULT '',
  is_available boolean NOT NULL,
  n            bigint  NOT NULL,
  PRIMARY KEY (position, entity_type, project, is_available)
);
INSERT INTO metadata.entity_count_at (position, entity_type, project, is_available, n)
  SELECT (SELECT max(position) FROM metadata.provenance), entity_type, project, is_available, n FROM metadata.entity_count;

-- What still stands from before a moment is told in the index itself.
DROP INDEX metadata.entity_entity_type_first_event_idx;
CREATE INDEX entity_entity_type_first_event_last_event_idx ON metadata.entity (entity_type, first_event, last_event);

-- So is what stood then and has ended since, in the order of creation and in that of change.
DROP INDEX metadata.entity_history_entity_type_first_event_to_event_idx;
CREATE INDEX entity_history_entity_type_first_event_to_event_from_event_idx ON metadata.entity_history (entity_type, first_event, to_event, from_event);
CREATE INDEX entity_history_entity_type_from_event_to_event_idx ON metadata.entity_history (entity_type, from_event, to_event);
CREATE UNIQUE INDEX entity_history_to_event_key ON metadata.entity_history (to_event);
CREATE INDEX entity_history_data_idx ON metadata.entity_history USING gin (data jsonb_path_ops);

-- Updates that may have moved an entity to another project: what a scoped actor saw then and must not see now.
CREATE INDEX provenance_moves_idx ON metadata.provenance (position) WHERE event_type = 'EntityUpdated' AND ((payload -> 'changed_fields')::jsonb ? 'project');
