// The number of items that each list of the graph may have: from @listSize and @cost in the subgraphs' SDL,
// with defaults for the rest.
import {
  type ConstDirectiveNode,
  type FieldDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLSchema,
  isCompositeType,
  isInputObjectType,
  isObjectType,
  isEnumType,
  Kind,
  parse,
  valueFromASTUntyped,
  isListType,
  getNullableType,
} from 'graphql';

/** The cost of a field: the weight of one object, and the source of the list's size. */
export interface ListSize {
  readonly weight?: number;
  readonly assumedSize?: number;
  /** Arguments with the maximum number of items; of several the largest counts. */
  readonly slicingArguments?: readonly string[];
  /** Fields of the returned object whose lists have that size. */
  readonly sizedFields?: readonly string[];
}

/** By `Type.field`. */
export type ListSizes = ReadonlyMap<string, ListSize>;

/** The default for a list without a declared size. */
export const ASSUMED_SIZE = 10;
/** The default for a page without a requested size. */
export const ASSUMED_PAGE = 100;
/** Objects of the schema itself weigh more than one of data, because nothing else limits their execution. */
const SCHEMA_WEIGHT = 4;

const PAGED = ['limit', 'first', 'last'];
const PAGES = ['items', 'nodes', 'edges'];

const argumentsOf = (directive: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries(
    (directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );

function sizeOf({ directives = [] }: Pick<FieldDefinitionNode, 'directives'>): ListSize | null {
  const found: Record<string, unknown> = {};
  for (const directive of directives) {
    if (directive.name.value === 'cost') found['weight'] = argumentsOf(directive)['weight'];
    if (directive.name.value === 'listSize') Object.assign(found, argumentsOf(directive));
  }
  return Object.keys(found).length === 0 ? null : found; // Composition has checked the forms.
}

/** The costs declared in a supergraph's SDL. */
export function listSizes(supergraphSdl: string): ListSizes {
  const sizes = new Map<string, ListSize>();
  for (const definition of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const field of definition.fields ?? []) {
      const size = sizeOf(field);
      if (size) sizes.set(`${definition.name.value}.${field.name.value}`, size);
    }
  }
  return sizes;
}

/** For a field without directives: pages are recognised by their arguments and fields. */
export function usualSize(field: GraphQLField<unknown, unknown>): ListSize {
  const slicingArguments = field.args.filter(({ name }) => PAGED.includes(name)).map(({ name }) => name);
  if (slicingArguments.length === 0) return {};
  if (isListType(getNullableType(field.type))) return { slicingArguments };
  const type = getNamedType(field.type);
  return isObjectType(type)
    ? { slicingArguments, sizedFields: PAGES.filter((name) => Object.hasOwn(type.getFields(), name)) }
    : {};
}

const mean = (counts: readonly number[]): number =>
  Math.ceil(counts.reduce((sum, n) => sum + n, 0) / Math.max(1, counts.length));

/** The lists of introspection, with their average lengths in this schema. */
export function introspectionSizes(schema: GraphQLSchema): ListSizes {
  const types = Object.values(schema.getTypeMap());
  const fields = types.filter(isObjectType).map((type) => Object.values(type.getFields()));
  const lists: Readonly<Record<string, number>> = {
    '__Schema.types': types.length,
    '__Schema.directives': schema.getDirectives().length,
    '__Type.fields': mean(fields.map((own) => own.length)),
    '__Type.inputFields': mean(
      types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length),
    ),
    '__Type.enumValues': mean(types.filter(isEnumType).map((type) => type.getValues().length)),
    '__Type.interfaces': 1,
    '__Type.possibleTypes': mean(
      types.filter((type) => isCompositeType(type) && !isObjectType(type)).map(() => ASSUMED_SIZE),
    ),
    '__Field.args': mean(fields.flat().map(({ args }) => args.length)),
    '__Directive.args': ASSUMED_SIZE,
  };
  return new Map(
    Object.entries(lists).map(([name, assumedSize]) => [name, { assumedSize, weight: SCHEMA_WEIGHT }]),
  );
}

export const sizeAt = (field: {
  readonly astNode?: FieldDefinitionNode | null | undefined;
}): ListSize | null => (field.astNode ? sizeOf(field.astNode) : null);
