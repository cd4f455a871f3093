// What differs between two versions of a schema, or between two schemas (docs/reference/metadata.md#differences-of-schemas).
import { badRequest } from '../../../platform/errors.ts';
import { isObject } from '../../../platform/json-object.ts';
import { type PartDifference, toldParts } from '../../../platform/part-differences.ts';
import { schemaDifferences } from '../../../platform/schema-differences.ts';
import type { NamedSchema } from '../schemas/schemas.service.ts';

export interface SchemaDiff {
  readonly before: unknown;
  readonly after: unknown;
  readonly differences: readonly PartDifference[];
  readonly isComplete: boolean;
}

/**
 * Null unless there are both.
 * @throws DomainError `invalid_request` where both are the same
 */
export async function schemaDiffOf(
  first: NamedSchema,
  second: NamedSchema,
  definitionOf: (schema: NamedSchema) => Promise<unknown>,
): Promise<SchemaDiff | null> {
  if (first.name === second.name && first.version === second.version)
    throw badRequest('nothing to compare with: give another version, or another schema');
  const [before, after] = await Promise.all([definitionOf(first), definitionOf(second)]);
  if (!isObject(before) || !isObject(after)) return null;
  return { before, after, ...toldParts(schemaDifferences(before, after, 'property')) };
}
