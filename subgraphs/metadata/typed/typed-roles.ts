// The types and fields that a schema has in the graph, by their roles, and the names that these have.
import { oneNameOf } from './typed-names.ts';

/** The role of a GraphQL type for its schema; of all but the first it is the suffix of the name. */
export const TYPED_ROLES = [
  'type',
  'Where',
  'Connection',
  'Edge',
  'ReferencedBy',
  'CreateInput',
  'UpdateInput',
  'FeedItem',
  'Aggregate',
  'AggregateGroup',
  'AggregateFields',
  'AggregateKey',
  'AggregateField',
] as const;
export type TypeRole = (typeof TYPED_ROLES)[number];
/** Which types and fields a schema has, that not all have. */
export interface Outlined {
  readonly name: string;
  readonly isRegistered: boolean;
  readonly hasFields: boolean;
  /** Whether any of them has single values, which can be grouped by and measured. */
  readonly hasMeasures: boolean;
}
export function hasRole(
  { isRegistered, hasFields, hasMeasures }: Outlined,
  role: TypeRole | RootRole,
): boolean {
  if (!isRegistered) return role === 'type';
  if (role === 'UpdateInput' || role === 'update') return hasFields;
  return hasMeasures || !(role.startsWith('Aggregate') || role === 'aggregate' || role === 'facets');
}

/** The role of a field that a schema adds, and the type to which it is added. */
export const HOLDERS = {
  one: 'Typed',
  list: 'Typed',
  aggregate: 'Typed',
  facets: 'Typed',
  create: 'TypedMutation',
  update: 'TypedMutation',
  upsert: 'TypedMutation',
  delete: 'TypedMutation',
  changed: 'TypedSubscription',
} as const;
export type RootRole = keyof typeof HOLDERS;
export const ROOT_ROLES = Object.keys(HOLDERS) as RootRole[]; // the table's own keys
export const ROOT_HOLDERS: ReadonlySet<string> = new Set(Object.values(HOLDERS));

export const ROOT_NAME: Readonly<Record<RootRole, (one: string, name: string) => string>> = {
  one: (one) => one,
  list: (one) => `${one}List`,
  aggregate: (one) => `${one}Aggregate`,
  facets: (one) => `${one}Facets`,
  create: (_, name) => `create${name}`,
  update: (_, name) => `update${name}`,
  upsert: (_, name) => `upsert${name}`,
  delete: (_, name) => `delete${name}`,
  changed: (one) => `${one}Changed`,
};

export const typeNamesOf = (outline: Outlined): [TypeRole, string][] =>
  TYPED_ROLES.filter((role) => hasRole(outline, role)).map((role) => [
    role,
    role === 'type' ? outline.name : `${outline.name}${role}`,
  ]);
export const rootNamesOf = (outline: Outlined): [RootRole, string][] =>
  ROOT_ROLES.filter((role) => hasRole(outline, role)).map((role) => [
    role,
    ROOT_NAME[role](oneNameOf(outline.name), outline.name),
  ]);
