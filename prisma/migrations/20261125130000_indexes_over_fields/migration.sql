-- Indexes over fields of data that a schema marks: for ranges, and for the order by a field.
-- What they hold is said once more in subgraphs/metadata/schema-model/field-index.ts; the two must be the same.
-- The servers' role owns no table: these two functions, with their owner's rights, are all it can do about indexes.

-- Name of the index over a field: readable, and its own whatever the field's name.
CREATE FUNCTION metadata.field_index_name(field text, kind text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT 'entity_' || kind || '_' || left(regexp_replace(lower(field), '[^a-z0-9]+', '_', 'g'), 24) || '_' || left(md5(field), 8) || '_idx'
$$;

-- Makes it where it is not there. Writers wait meanwhile, readers do not.
CREATE FUNCTION metadata.index_field(field text, kind text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  key text := CASE kind
    WHEN 'number' THEN format('CASE WHEN jsonb_typeof(data -> %1$L) = ''number'' THEN data -> %1$L END', field)
    WHEN 'text' THEN format('"left"(CASE WHEN jsonb_typeof(data -> %1$L) = ''string'' THEN (data -> %1$L) #>> ''{}'' END, 250)', field)
  END;
BEGIN
  IF key IS NULL THEN RAISE EXCEPTION 'unknown kind of index: %', kind; END IF;
  EXECUTE format('CREATE INDEX IF NOT EXISTS %I ON metadata.entity (entity_type, (%s)%s, first_event) WHERE (%s) IS NOT NULL',
    metadata.field_index_name(field, kind), key, CASE kind WHEN 'text' THEN ' COLLATE "C"' ELSE '' END, key);
  -- without statistics the planner knows nothing of the field's values: those of a partial index are not looked at
  EXECUTE format('CREATE STATISTICS IF NOT EXISTS metadata.%I ON (%s) FROM metadata.entity', metadata.field_index_name(field, kind) || '_values', key);
  ANALYZE metadata.entity;
END $$;

CREATE FUNCTION metadata.unindex_field(field text, kind text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  EXECUTE format('DROP INDEX IF EXISTS metadata.%I', metadata.field_index_name(field, kind));
  EXECUTE format('DROP STATISTICS IF EXISTS metadata.%I', metadata.field_index_name(field, kind) || '_values');
END $$;
