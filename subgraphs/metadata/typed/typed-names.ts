// GraphQL's names of schemas and their fields: the same where they can be, else made of them in a way that no
// other schema changes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../../../platform/project-root.ts';

/**
 * Types that the graph has already, in whichever component: the list is frozen with the graph
 * (test/contract.test.ts). A schema with such a name keeps it everywhere but here.
 */
const RESERVED_TYPES: ReadonlySet<string> = new Set([
  ...readFileSync(path.join(projectRoot, 'subgraphs/metadata/typed/reserved-types.txt'), 'utf8').split(/\s+/),
  'Omitted', // would be the field `omitted` of `typed`
]);

/**
 * What the types of a schema are made with: a schema whose own name ends so could be taken for one of
 * another's.
 */
const DERIVED = /(?:Connection|Edge|Where|List)$/;
/** What every typed entity has beside its fields, and every condition beside those on them. */
const RESERVED_FIELDS: ReadonlySet<string> = new Set(['id', 'entity', 'and', 'or', 'not']);

const NAME = /^(?!__)[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * The name with what GraphQL does not take replaced, and a mark of the name itself, so that no two become
 * one.
 */
const marked = (name: string): string =>
  `${name.replace(/[^A-Za-z0-9_]+/g, '_').replace(/^(?=\d)|^_+/, 'x_')}_${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;

/**
 * Letters before which a name reads as a type's: `sample` stands for one of type `Sample`, so a schema
 * `sample` must not be its neighbour.
 */
export function typeNameOf(schema: string): string {
  const isPlain =
    NAME.test(schema) && /^[A-Z]/.test(schema) && !RESERVED_TYPES.has(schema) && !DERIVED.test(schema);
  return isPlain ? schema : marked(schema);
}

export const fieldNameOf = (field: string): string =>
  NAME.test(field) && !RESERVED_FIELDS.has(field) ? field : marked(field);

/** `Sample` → `sample`, the field of `typed` that answers one; `sampleList` answers many. */
export const oneNameOf = (typeName: string): string => typeName.charAt(0).toLowerCase() + typeName.slice(1);
