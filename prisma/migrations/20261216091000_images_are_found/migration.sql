-- In a migration of its own: while it is built, productions are read, which the lock for adding the column would stop.
CREATE INDEX production_images_idx ON artifact.production USING gin (images jsonb_path_ops)
  WHERE status = 'completed' AND runner IS NOT NULL AND images <> '[]';
