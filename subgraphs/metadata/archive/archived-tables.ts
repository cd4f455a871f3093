// The tables of metadata that an archive holds (docs/reference/archives.md#what-it-holds). The log is what everything
// follows from; the states of entities stand beside it, because events of large ones keep only changes, and because
// records have ids that no event tells. Search words, unique values, counts and indexes follow from these, and are
// made anew.
import { STORED_COLUMNS } from '../../../platform/entity-columns.ts';
import type { TableSection } from '../../../platform/archive/table-section.ts';
import { instantSql } from '../../../platform/queryable.ts';
import { STATE_TYPES } from '../log/state-columns.ts';

const STATE = STORED_COLUMNS.map(({ name }, i) => ({ name, type: STATE_TYPES[i] ?? 'text' }));
const position = (name: string) => ({ name, type: 'bigint' });
const text = (name: string) => ({ name, type: 'text' });
/** JSON that is kept as it was sent, line breaks included: an archive has it as a text. */
const verbatim = (name: string) => ({ name, type: 'text', read: `${name}::text`, write: `x.${name}::json` });
const instant = (name: string) => ({ name, type: 'timestamptz', read: instantSql(name) });

export const SCHEMAS: TableSection = {
  name: 'schemas',
  table: 'metadata.schema_revision',
  columns: [
    { name: 'revision', type: 'int' },
    text('name'),
    text('version'),
    verbatim('definition'),
    position('created_event'),
  ],
  order: 'revision',
};
const LOG: TableSection = {
  name: 'log',
  table: 'metadata.provenance',
  columns: [
    position('position'),
    { name: 'id', type: 'uuid' },
    text('event_type'),
    text('entity_id'),
    text('entity_type'),
    text('actor'),
    instant('timestamp'),
    text('schema_version'),
    verbatim('context'),
    { name: 'payload', type: 'json' },
    { name: 'request_id', type: 'uuid' },
    text('cause'),
  ],
  order: 'position',
  overriding: true,
};
const STATES: TableSection = {
  name: 'states',
  table: 'metadata.entity_history',
  columns: [...STATE, position('first_event'), position('from_event'), position('to_event')],
  order: 'to_event',
};
export const ENTITIES: TableSection = {
  name: 'entities',
  table: 'metadata.entity',
  columns: [...STATE, position('first_event'), position('state_event'), position('last_event')],
  order: 'first_event',
};
const RELATIONSHIPS: TableSection = {
  name: 'relationships',
  table: 'metadata.relationship',
  columns: [
    text('source_id'),
    text('target_id'),
    text('relationship_type'),
    { name: 'metadata', type: 'jsonb' },
    text('created_by'),
    position('created_event'),
    position('removed_event'),
  ],
  order: 'created_event',
};
const EXTERNAL_IDS: TableSection = {
  name: 'external-ids',
  table: 'metadata.external_id',
  columns: [
    { name: 'id', type: 'uuid' },
    text('entity_id'),
    text('id_type'),
    text('external_id'),
    position('created_event'),
    position('superseded_event'),
    { name: 'superseded_by', type: 'uuid' },
  ],
  order: 'created_event, id',
};

/** In the order of the archive. */
export const METADATA_TABLES: readonly TableSection[] = [
  SCHEMAS,
  LOG,
  STATES,
  ENTITIES,
  RELATIONSHIPS,
  EXTERNAL_IDS,
];
