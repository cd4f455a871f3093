// One row of a bulk ingest: an entity, or why it is none (docs/reference/metadata.md#bulk-ingest-over-rest).
import { DomainError, invalid } from '../../platform/errors.ts';
import { isObject } from '../../platform/json-object.ts';
import { parseJsonBody } from '../../platform/json-in-turns.ts';
import type { JsonBounds } from '../../platform/json-shape.ts';
import { assertMember } from '../../platform/permissions.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { RowText } from '../../platform/tables/json-rows.ts';
import { GREATEST_INTEGER } from '../parameters.ts';

export interface Entity {
  readonly entityType: string;
  readonly id: string | null;
  readonly data: unknown;
  readonly ifVersion: number | null;
}

/** A row, read: an entity, or why it is none. */
export interface Row {
  readonly row: number;
  readonly line: number;
  readonly entity: Entity | null;
  readonly fault: DomainError | null;
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
  const ifVersion = versionIn(version);
  if (typeof data['project'] === 'string') assertMember(caller, data['project']);
  return { entityType, id: textIn(id, 'id'), data, ifVersion };
}

export async function readRow(
  { text, line }: RowText,
  row: number,
  ctx: RequestContext,
  reading: RowReading,
): Promise<Row> {
  try {
    return { row, line, entity: await entityIn(text, ctx, reading), fault: null };
  } catch (thrown) {
    if (!(thrown instanceof DomainError)) throw thrown;
    return { row, line, entity: null, fault: thrown };
  }
}
