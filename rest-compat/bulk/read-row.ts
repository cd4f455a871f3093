// One row of a bulk ingest: an entity, or why it is none (docs/reference/metadata.md#bulk-ingest-over-rest).
import { ENTITY_COLUMNS } from '../../platform/entity-columns.ts';
import { DomainError, invalid } from '../../platform/errors.ts';
import { isObject } from '../../platform/json-object.ts';
import { parseJsonBody } from '../../platform/json-in-turns.ts';
import type { JsonBounds } from '../../platform/json-shape.ts';
import { assertMember } from '../../platform/permissions.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { unknownKey } from '../../platform/suggestions.ts';
import { OWN } from '../../platform/tables/column-names.ts';
import { refusedFields } from '../../platform/tables/refused-fields.ts';
import { GREATEST_INTEGER } from '../parameters.ts';

export interface Entity {
  readonly entityType: string;
  readonly id: string | null;
  readonly data: unknown;
  readonly ifVersion: number | null;
}

/** The column that a field of a table's row is from. */
type ColumnOf = (field: string) => string | undefined;

/** A row as the body has it: its text, or why it has none. */
export type UnreadRow =
  | { readonly line: number | null; readonly text: Buffer; readonly columnOf?: ColumnOf }
  | { readonly line: number | null; readonly fault: DomainError; readonly column: string | null };

/** A row, read: an entity, or why it is none. */
export interface Row {
  readonly row: number;
  /** Null where it is not known. */
  readonly line: number | null;
  readonly entity: Entity | null;
  readonly fault: DomainError | null;
  /** Of a fault that is of one column of a table. */
  readonly column: string | null;
  readonly columnOf: ColumnOf | null;
}

/** How rows are read. */
interface RowReading {
  /** Of rows that name none. */
  readonly type: string | null;
  readonly json: JsonBounds;
}

const textIn = (value: unknown, name: string): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw invalid(`${name} must be a string`, { field: name });
  return value;
};

/** Null for none. @throws DomainError `precondition_failed` for one that no entity can have */
function versionIn(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'number' || !Number.isSafeInteger(value))
    throw invalid('if_version must be an integer', { field: 'if_version' });
  if (Math.abs(value) > GREATEST_INTEGER)
    throw new DomainError('precondition_failed', `no entity is at version ${value}`);
  return value;
}

/** What a row says. */
const GIVEN = ['entity_type', 'id', 'data', 'if_version'];
/** And what it may have besides: lines of an export, of a search and of an earlier load can be sent as they are. */
const LEFT_OUT = new Set([
  ...ENTITY_COLUMNS.flatMap(({ name, inRest }) => (inRest === true ? [name] : [])),
  'expanded',
  'score',
]);

/** @throws DomainError for a member that would otherwise be lost without a word */
function assertKnown(row: Readonly<Record<string, unknown>>): void {
  for (const name of Object.keys(row))
    if (!GIVEN.includes(name) && !LEFT_OUT.has(name) && !name.startsWith(OWN))
      throw invalid(`${unknownKey(name, GIVEN)} (a row has entity_type, id, data and if_version)`, {
        field: name,
      });
}

/** @throws DomainError as a single ingest */
async function entityIn(
  text: Buffer,
  { caller }: RequestContext,
  { type, json }: RowReading,
): Promise<Entity> {
  const value = await parseJsonBody(text, { what: 'the row', ...json });
  if (!isObject(value)) throw invalid('a row must be a JSON object');
  const { id, data, if_version: version } = value;
  const entityType = textIn(value['entity_type'], 'entity_type') ?? type;
  if (entityType === null || entityType === '')
    throw invalid('entity_type is required', { field: 'entity_type' });
  if (!isObject(data)) throw invalid('data must be an object', { field: 'data' });
  assertKnown(value);
  const ifVersion = versionIn(version);
  if (typeof data['project'] === 'string') assertMember(caller, data['project']);
  return { entityType, id: textIn(id, 'id'), data, ifVersion };
}

export async function readRow(
  unread: UnreadRow,
  row: number,
  ctx: RequestContext,
  reading: RowReading,
): Promise<Row> {
  const { line } = unread;
  if ('fault' in unread) return { row, entity: null, columnOf: null, ...unread };
  const { text, columnOf = null } = unread;
  const read = { row, line, column: null, columnOf };
  try {
    return { ...read, entity: await entityIn(text, ctx, reading), fault: null };
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    return { ...read, entity: null, fault: thrown };
  }
}

/** The columns that a refusal is about, as far as it names their fields; null for none. */
export function columnsAtFault({ column, columnOf }: Row, details: unknown): string | null {
  if (column !== null || columnOf === null) return column;
  const columns = refusedFields(details).flatMap((field) => columnOf(field) ?? []);
  return columns.length === 0 ? null : columns.join(', ');
}
