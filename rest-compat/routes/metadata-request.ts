// What metadata's rows have in common: an entity's spelling, the write headers, bodies field by field.
import { ENTITY_COLUMNS, selectionOf } from '../../platform/entity-columns.ts';
import { DomainError, invalid } from '../../platform/errors.ts';
import { headerText } from '../../platform/header-text.ts';
import { parseJson } from '../../platform/json.ts';
import { entityTags } from '../entity-tags.ts';
import { AS_OF, GREATEST_INTEGER, flag, list, requiredText, text } from '../parameters.ts';
import { objectBody, type RestRouteInput } from '../route.ts';

/** An entity as REST spells it, in the order of docs/reference/metadata.md#entity-fields. */
export const ENTITY = selectionOf(ENTITY_COLUMNS.filter(({ inRest }) => inRest));

/** Which entities, in which order, as of when: of lists and exports. */
export const LISTING = {
  filter: text('A CEL expression over data, id, entity_type, version, is_available, created_at, updated_at.'),
  order_by: text(
    'created_at, updated_at, id or data.<field>, with a leading - for descending; several by comma.',
  ),
  include_unavailable: flag(false, 'Also entities that are not available.'),
  ...AS_OF,
};

export const WORDS = requiredText('Words that must all occur; the last one may be the beginning of a word.');

/** Parameters of any other name are fields. */
export const fieldFilters = (
  rest: Readonly<Record<string, readonly string[]>>,
): { name: string; values: readonly string[] }[] =>
  Object.keys(rest).map((name) => ({ name, values: rest[name] ?? [] }));

interface Listed {
  readonly query: Readonly<
    Record<'filter' | 'order_by' | 'as_of' | 'cursor', string | null> &
      Record<'limit' | 'offset', number | null> & { include_unavailable: boolean | null }
  >;
  readonly rest: Readonly<Record<string, readonly string[]>>;
}

/** The variables of an operation that lists, by its parameters. */
export const listingVariables = ({ query, rest }: Listed) => ({
  filter: query.filter,
  fields: fieldFilters(rest),
  limit: query.limit,
  offset: query.offset,
  cursor: query.cursor,
  orderBy: query.order_by,
  includeUnavailable: query.include_unavailable,
  asOf: query.as_of,
});

/** On reads of entities: the expansion. */
export const EXPAND = {
  expand: list(
    'Related entities to return in `expanded`: `field`, `field.child`, `field[]` or `relationship_type[]`, separated by commas, at most 5 levels deep.',
  ),
};

export const expandOf = (paths: readonly string[] | null): { expand?: string } =>
  paths === null || paths.length === 0 ? {} : { expand: paths.join(',') };

type Input = Pick<RestRouteInput<string, Record<never, never>>, 'header'>;

const HEADER = 'X-Metadata-Context';

/**
 * X-Metadata-Context: JSON text, stored verbatim.
 * @throws DomainError for invalid JSON, and for JSON that cannot be stored exactly
 */
export const contextOf = ({ header }: Input): string | null => {
  const sent = header('x-metadata-context');
  if (sent === undefined || sent === '') return null;
  const text = headerText(sent);
  try {
    parseJson(text, HEADER);
  } catch (fault) {
    throw fault instanceof DomainError && fault.code === 'validation_failed'
      ? invalid(`${HEADER}: ${fault.message}`)
      : fault;
  }
  return text;
};

/**
 * If-Match: the versions of its entity tags, one of which the entity must have; null for `*`. Weak tags match
 * nothing (RFC 9110, 13.1.1).
 */
export const versionsOf = ({ header }: Input): readonly number[] | null => {
  const sent = header('if-match');
  if (sent === undefined) return null;
  const tags = entityTags(sent);
  if (tags === '*') return null;
  const versions = (tags ?? [])
    .flatMap((tag) => (/^"(?:0|[1-9]\d{0,14})"$/.test(tag) ? [Number(tag.slice(1, -1))] : []))
    .filter((version) => version <= GREATEST_INTEGER);
  if (versions.length === 0)
    throw new DomainError(
      'precondition_failed',
      'If-Match must be the ETag that the entity was answered with, for example "3"',
    );
  return versions;
};

/**
 * Whether the entity of an ingest must exist (`If-Match: *`), or must not (`If-None-Match: *`); null for either.
 */
export const ifExistsOf = ({ header }: Input): boolean | null => {
  if (header('if-match')?.trim() === '*') return true;
  return header('if-none-match')?.trim() === '*' ? false : null;
};

export const entityAbsent = (params: Readonly<Record<string, string>>): string =>
  `entity not found: ${params['entity_id']}`;

type Fields = Readonly<Record<string, unknown>>;

/** A text of a body. @throws DomainError `validation_failed` if it is absent, empty or not text */
export function requiredField(body: unknown, name: string): string {
  const value = optionalField(body, name);
  if (value === null || value === '') throw invalid(`${name} is required`, { field: name });
  return value;
}

/** Null if the body has none. @throws DomainError `validation_failed` for anything but text */
export function optionalField(body: unknown, name: string): string | null {
  const value = fieldOf(body, name);
  if (value !== null && typeof value !== 'string') throw invalid(`${name} must be a string`, { field: name });
  return value;
}

/** @throws DomainError `validation_failed` if it is absent or not a boolean */
export function booleanField(body: unknown, name: string): boolean {
  const value = fieldOf(body, name);
  if (typeof value !== 'boolean')
    throw invalid(value === null ? `${name} is required` : `${name} must be true or false`, { field: name });
  return value;
}

/** A body's own member; null if it is absent. */
export function fieldOf(body: unknown, name: string): unknown {
  const fields: Fields = objectBody(body);
  return Object.hasOwn(fields, name) ? (fields[name] ?? null) : null;
}
