-- What was uploaded with a credential that is in some projects is not for a credential of the same actor that is not. Each upload of
-- one content is an element: the projects of its credential, or null for one that was in all. NULL for uploads of before.
ALTER TABLE artifact.upload ADD COLUMN projects jsonb;
ALTER TABLE artifact.uploaded_file ADD COLUMN projects jsonb;

-- Whether a credential that is in these projects (NULL for all) reaches as far as one of those.
CREATE FUNCTION artifact.reaches(projects text[], uploads jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
  SELECT projects IS NULL OR uploads IS NULL OR EXISTS (
    SELECT FROM jsonb_array_elements(uploads) u(projects) WHERE jsonb_typeof(u.projects) = 'array' AND u.projects <@ to_jsonb(reaches.projects))
$$;
