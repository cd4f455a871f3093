// An entity with a plain value in each of its columns: a test says those that it is about.
import { type ColumnType, ENTITY_COLUMNS, type NamedEntity } from '../../platform/entity-columns.ts';
import type { EntityRow } from '../../subgraphs/metadata/reading/entity-record.ts';

const VALUES: Readonly<Record<ColumnType, unknown>> = {
  text: '',
  name: '',
  integer: 1,
  boolean: true,
  instant: '2024-01-01T00:00:00.000000Z',
  object: {},
};

/** As CEL sees it, and REST shows it. */
export const PLAIN_ENTITY = Object.fromEntries(
  ENTITY_COLUMNS.map(({ name, type, isNullable }) => [name, isNullable === true ? null : VALUES[type]]),
) as unknown as NamedEntity; // each by its type

const TEXTS: Readonly<Record<ColumnType, string>> = {
  text: '',
  name: '',
  integer: '1',
  boolean: 't',
  instant: '2024-01-01 00:00:00',
  object: '{}',
};

/** As the database answers it. */
export const PLAIN_ROW = Object.fromEntries(
  ENTITY_COLUMNS.map(({ name, type, isNullable }) => [name, isNullable === true ? null : TEXTS[type]]),
) as unknown as EntityRow; // likewise
