-- Types whose stored `datetime` fields have been looked at since these are kept as instants: in UTC, with microseconds. Others are at the next start.
CREATE TABLE metadata.instants_kept (
  entity_type text        PRIMARY KEY,
  at          timestamptz NOT NULL DEFAULT now()
);
