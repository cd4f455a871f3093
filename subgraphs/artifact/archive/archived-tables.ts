// The tables of artifact that an archive holds: files that entities have, and whose they are. Productions, and what only
// they use, are not part of it (docs/reference/archives.md#what-it-holds).
import type { TableSection } from '../../../platform/archive/table-section.ts';
import { instantSql } from '../../../platform/queryable.ts';

const text = (name: string) => ({ name, type: 'text' });
const instant = (name: string) => ({ name, type: 'timestamptz', read: instantSql(name) });

export const STORED_FILES: TableSection = {
  name: 'stored-files',
  table: 'artifact.stored_object',
  columns: [
    text('hash'),
    { name: 'size', type: 'bigint' },
    text('media_type'),
    instant('created_at'),
    instant('evicted_at'),
  ],
  where: 'EXISTS (SELECT FROM artifact.artifact_entity x WHERE x.hash = stored_object.hash)',
  order: 'hash COLLATE "C"',
};
const ENTITY_FILES: TableSection = {
  name: 'entity-files',
  table: 'artifact.artifact_entity',
  columns: [
    text('entity_id'),
    text('field'),
    text('entity_type'),
    text('hash'),
    text('name'),
    text('source'),
    text('production_id'),
    text('uploaded_by'),
    { name: 'entity_version', type: 'int' },
    text('given_in'),
  ],
  order: 'entity_id COLLATE "C", field COLLATE "C"',
};

/** In the order of the archive. */
export const ARTIFACT_TABLES: readonly TableSection[] = [STORED_FILES, ENTITY_FILES];
