-- Which fields are filtered by ranges, and the indexes that were made because they often are.

-- How often a range over a field was asked of a type, since `since`.
CREATE TABLE metadata.field_use (
  entity_type text        NOT NULL,
  field       text        NOT NULL,
  kind        text        NOT NULL CHECK (kind IN ('number', 'text')),
  uses        bigint      NOT NULL,
  since       timestamptz NOT NULL DEFAULT now(),
  last_used   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (entity_type, field, kind)
);

-- Indexes that no schema asked for, each with what it was made for.
CREATE TABLE metadata.field_index (
  field       text        NOT NULL,
  kind        text        NOT NULL CHECK (kind IN ('number', 'text')),
  entity_type text        NOT NULL,
  uses        bigint      NOT NULL,
  entities    bigint      NOT NULL,
  made_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (field, kind)
);

-- The index as it is made, whoever makes it: behind a lock with all else of a schema's change, or `apart`, by the owner and while others write.
CREATE FUNCTION metadata.field_index_key(field text, kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE kind
    WHEN 'number' THEN format('CASE WHEN jsonb_typeof(data -> %1$L) = ''number'' THEN data -> %1$L END', field)
    WHEN 'text' THEN format('"left"(CASE WHEN jsonb_typeof(data -> %1$L) = ''string'' THEN (data -> %1$L) #>> ''{}'' END, 250)', field)
  END
$$;
CREATE FUNCTION metadata.field_index_sql(field text, kind text, apart boolean) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('CREATE INDEX %s IF NOT EXISTS %I ON metadata.entity (entity_type, (%s)%s, first_event) WHERE (%s) IS NOT NULL',
    CASE WHEN apart THEN 'CONCURRENTLY' ELSE '' END, metadata.field_index_name(field, kind), metadata.field_index_key(field, kind),
    CASE kind WHEN 'text' THEN ' COLLATE "C"' ELSE '' END, metadata.field_index_key(field, kind))
$$;
CREATE FUNCTION metadata.field_statistics_sql(field text, kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT format('CREATE STATISTICS IF NOT EXISTS metadata.%I ON (%s) FROM metadata.entity', metadata.field_index_name(field, kind) || '_values', metadata.field_index_key(field, kind))
$$;

-- Whether the index is there and whole: one whose making was broken off is there, and answers nothing.
CREATE FUNCTION metadata.field_index_state(field text, kind text) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN i.indexrelid IS NULL THEN 'none' WHEN i.indisvalid THEN 'whole' ELSE 'broken' END
  FROM (SELECT 1) one LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = 'metadata'::regnamespace AND c.relname = metadata.field_index_name(field, kind)
  LEFT JOIN pg_catalog.pg_index i ON i.indexrelid = c.oid
$$;

CREATE OR REPLACE FUNCTION metadata.index_field(field text, kind text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF metadata.field_index_key(field, kind) IS NULL THEN RAISE EXCEPTION 'unknown kind of index: %', kind; END IF;
  IF metadata.field_index_state(field, kind) = 'broken' THEN EXECUTE format('DROP INDEX metadata.%I', metadata.field_index_name(field, kind)); END IF;
  EXECUTE metadata.field_index_sql(field, kind, false);
  -- without statistics the planner knows nothing of the field's values: those of a partial index are not looked at
  EXECUTE metadata.field_statistics_sql(field, kind);
  ANALYZE metadata.entity;
END $$;
