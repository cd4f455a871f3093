-- A workflow is all documents that it consists of, not the one that it begins with: it is known by a hash over all of them, and each version of a rule says which one it runs.

-- `documents`: what it consists of, `{reference, hash}` in order of the references; '' is the main document, all others are relative to it where that can be said.
CREATE TABLE artifact.workflow (
  hash      text        PRIMARY KEY,
  parsed    jsonb       NOT NULL,
  documents jsonb       NOT NULL,
  kept_at   timestamptz NOT NULL DEFAULT now()
);

-- Null for a version of which it is not known what it consists of: it is not run until it is registered again.
ALTER TABLE artifact.rule ADD COLUMN workflow_hash text REFERENCES artifact.workflow (hash);

-- As subgraphs/artifact/cwl-source/workflow-identity.ts has it, for what was kept until now.
CREATE FUNCTION artifact.reference_of(main text, url text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  parts CONSTANT text := '^(https?://[^/?#]+)/([^?#]*)(\?[^#]*)?$';
  a text[] := regexp_match(main, parts);
  b text[] := regexp_match(url, parts);
  above text[];
  below text[];
  shared int := 0;
  reference text;
BEGIN
  IF main = url THEN RETURN ''; END IF;
  IF a IS NULL OR b IS NULL OR a[1] <> b[1] THEN RETURN url; END IF;
  above := string_to_array(a[2], '/');
  below := string_to_array(b[2], '/');
  above := above[1 : cardinality(above) - 1];
  WHILE shared < cardinality(above) AND shared < cardinality(below) - 1 AND above[shared + 1] = below[shared + 1] LOOP shared := shared + 1; END LOOP;
  reference := repeat('../', cardinality(above) - shared) || array_to_string(below[shared + 1 :], '/');
  RETURN CASE WHEN reference ~ '^(\.\./)*[A-Za-z0-9._~%+@-]+(/[A-Za-z0-9._~%+@-]+)*$' THEN reference || coalesce(b[3], '') ELSE url END;
END $$;

-- The first version with a main document is the one whose documents were kept with it. Of a later one that is known only where there is nothing but the main document, and the same process of it is meant.
CREATE TEMPORARY TABLE known_workflow ON COMMIT DROP AS
WITH ordered AS (
  SELECT r.name, r.version, d.parsed, coalesce(substring(r.definition #>> '{execute,cwl_url}' FROM '#(.*)$'), '') AS fragment,
    first_value(coalesce(substring(r.definition #>> '{execute,cwl_url}' FROM '#(.*)$'), '')) OVER first AS first_fragment,
    row_number() OVER first AS place, d.parsed #>> '{documents,0,url}' AS main, jsonb_array_length(d.parsed -> 'documents') AS n
  FROM artifact.rule r JOIN artifact.cwl_document d ON d.hash = r.cwl_hash
  WHERE jsonb_typeof(d.parsed -> 'documents') = 'array' AND jsonb_array_length(d.parsed -> 'documents') > 0
  WINDOW first AS (PARTITION BY r.cwl_hash ORDER BY r.registered_at, r.name, r.version)),
known AS (SELECT * FROM ordered WHERE place = 1 OR (n = 1 AND fragment = first_fragment))
SELECT k.name, k.version, k.parsed - 'documents' AS parsed, x.documents,
  'sha256:' || encode(sha256(convert_to('cairn workflow 1' || E'\n' || encode(sha256(convert_to(k.fragment, 'UTF8')), 'hex') || E'\n' || x.lines, 'UTF8')), 'hex') AS hash
FROM known k CROSS JOIN LATERAL (
  SELECT jsonb_agg(jsonb_build_object('reference', reference, 'hash', hash) ORDER BY reference COLLATE "C") AS documents,
    string_agg(hash || ' ' || reference || E'\n', '' ORDER BY reference COLLATE "C") AS lines
  FROM (SELECT artifact.reference_of(k.main, d ->> 'url') AS reference, d ->> 'hash' AS hash FROM jsonb_array_elements(k.parsed -> 'documents') AS d) AS named) AS x;

INSERT INTO artifact.workflow (hash, parsed, documents) SELECT DISTINCT ON (hash) hash, parsed, documents FROM known_workflow ORDER BY hash;
UPDATE artifact.rule r SET workflow_hash = k.hash FROM known_workflow k WHERE k.name = r.name AND k.version = r.version;

DROP FUNCTION artifact.reference_of(text, text);
ALTER TABLE artifact.cwl_document DROP COLUMN parsed;
