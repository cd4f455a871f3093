// The number of objects that an operation may request, from the sizes of its lists: computed before it runs,
// compiled once with its document.
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  getNullableType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  type ValueNode,
  isAbstractType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import { fragmentsOf } from './inline-fragments.ts';
import {
  ASSUMED_PAGE,
  ASSUMED_SIZE,
  type ListSize,
  type ListSizes,
  sizeAt,
  usualSize,
} from './list-sizes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Objects that an operation requests with these variables. */
export type StaticCost = (variables: Values) => number;

/** A number that is constant, or depends on the variables. */
type Count = number | ((variables: Values) => number);

const valueOf = (count: Count, variables: Values): number =>
  typeof count === 'number' ? count : count(variables);

function combined(parts: readonly Count[], combine: (values: readonly number[]) => number): Count {
  if (parts.every((part) => typeof part === 'number')) return combine(parts);
  return (variables) => combine(parts.map((part) => valueOf(part, variables)));
}
const sum = (parts: readonly Count[]): Count =>
  combined(parts, (values) => values.reduce((total, value) => total + value, 0));
const product = (parts: readonly Count[]): Count =>
  combined(parts, (values) => values.reduce((total, value) => total * value, 1));
const largest = (parts: readonly Count[]): Count => combined(parts, (values) => Math.max(...values));

const atLeastNone = (value: unknown, otherwise: number): number => {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && !Number.isNaN(number) ? Math.max(0, number) : otherwise;
};

function countOf(value: ValueNode, usual: number, defaults: Values): Count {
  switch (value.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return Math.max(0, Number(value.value));
    case Kind.VARIABLE: {
      const { value: name } = value.name;
      const otherwise = atLeastNone(defaults[name], usual);
      return (variables) =>
        Object.hasOwn(variables, name) ? atLeastNone(variables[name], otherwise) : otherwise;
    }
    case Kind.LIST:
      return value.values.length;
    default:
      return usual;
  }
}

class Compiler {
  readonly #schema: GraphQLSchema;
  readonly #sizes: readonly ListSizes[];
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  readonly #defaults: Values;

  constructor(
    schema: GraphQLSchema,
    sizes: readonly ListSizes[],
    document: DocumentNode,
    { variableDefinitions = [] }: OperationDefinitionNode,
  ) {
    this.#schema = schema;
    this.#sizes = sizes;
    this.#fragments = fragmentsOf(document);
    this.#defaults = Object.fromEntries(
      variableDefinitions.map(({ variable, defaultValue }) => [
        variable.name.value,
        defaultValue?.kind === Kind.INT ? Number(defaultValue.value) : undefined,
      ]),
    );
  }

  /** @param sized fields whose size the parent field declares */
  selection(
    set: SelectionSetNode,
    type: GraphQLNamedType | undefined,
    sized: ReadonlyMap<string, Count>,
  ): Count {
    return sum(
      set.selections.map((node): Count => {
        if (node.kind === Kind.FIELD) return this.#field(node, type, sized);
        const fragment = node.kind === Kind.INLINE_FRAGMENT ? node : this.#fragments.get(node.name.value);
        if (!fragment) return 0;
        const name = fragment.typeCondition?.name.value;
        return this.selection(
          fragment.selectionSet,
          name === undefined ? type : this.#schema.getType(name),
          sized,
        );
      }),
    );
  }

  #definition(name: string, type: GraphQLNamedType | undefined): GraphQLField<unknown, unknown> | undefined {
    if (name === '__schema') return SchemaMetaFieldDef;
    if (name === '__type') return TypeMetaFieldDef;
    return isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
  }

  #sizeOf(field: GraphQLField<unknown, unknown>, type: GraphQLNamedType | undefined): ListSize {
    // what an interface may stand for can be thousands of types: they are looked at only for what has a size
    const isSized = isCompositeType(getNamedType(field.type)) || isListType(getNullableType(field.type));
    const names =
      isAbstractType(type) && isSized
        ? this.#schema.getPossibleTypes(type).map((one) => one.name)
        : [type?.name ?? ''];
    for (const name of names)
      for (const sizes of this.#sizes) {
        const known = sizes.get(`${name}.${field.name}`);
        if (known) return known;
      }
    return sizeAt(field) ?? usualSize(field);
  }

  #field(node: FieldNode, type: GraphQLNamedType | undefined, sized: ReadonlyMap<string, Count>): Count {
    const field = this.#definition(node.name.value, type);
    if (!field) return 0;
    const said = this.#sizeOf(field, type);
    const sliced = this.#sliced(node, field, said);
    const isList = isListType(getNullableType(field.type));
    const size: Count =
      sized.get(node.name.value) ?? (isList ? (sliced ?? said.assumedSize ?? ASSUMED_SIZE) : 1);
    const inner = getNamedType(field.type);
    const weight = said.weight ?? (isCompositeType(inner) ? 1 : 0);
    if (node.selectionSet === undefined) return weight === 0 ? 0 : product([weight, size]);
    const below = new Map(
      (said.sizedFields ?? []).map((name): [string, Count] => [
        name,
        sliced ?? said.assumedSize ?? ASSUMED_PAGE,
      ]),
    );
    return product([size, sum([weight, this.selection(node.selectionSet, inner, below)])]);
  }

  /** The value of the slicing arguments; null without any. */
  #sliced(
    node: FieldNode,
    field: GraphQLField<unknown, unknown>,
    { slicingArguments = [], assumedSize = ASSUMED_PAGE }: ListSize,
  ): Count | null {
    if (slicingArguments.length === 0) return null;
    const usual =
      slicingArguments
        .map((name) => field.args.find((arg) => arg.name === name)?.defaultValue)
        .find((value) => typeof value === 'number') ?? assumedSize;
    const given = (node.arguments ?? []).filter(({ name }) => slicingArguments.includes(name.value));
    return given.length === 0
      ? usual
      : largest(given.map(({ value }) => countOf(value, usual, this.#defaults)));
  }
}

export function compileCost(
  schema: GraphQLSchema,
  sizes: readonly ListSizes[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
): StaticCost {
  const root = schema.getRootType(operation.operation) ?? undefined;
  const cost = new Compiler(schema, sizes, document, operation).selection(
    operation.selectionSet,
    root,
    new Map(),
  );
  return typeof cost === 'number' ? () => cost : cost;
}
