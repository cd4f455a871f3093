// A GraphQL schema whose types are made when somebody looks at them: however many there could be, an
// operation costs what it names.
import {
  assertValidSchema,
  type ConstValueNode,
  type FieldDefinitionNode,
  GraphQLInputObjectType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLType,
  type InputValueDefinitionNode,
  isInputType,
  isObjectType,
  isOutputType,
  Kind,
  parse,
  type TypeNode,
  valueFromAST,
} from 'graphql';
import type { SchemaParts } from './component.ts';

/** Makes what a type of the parts, or a field of the type that they add to, is resolved with. */
export interface Dress {
  /** A type that was just made. */
  type(type: GraphQLObjectType): void;
  /** A field that was just made of the type that parts add to. */
  field(field: ReturnType<GraphQLObjectType['getFields']>[string]): void;
}

type ObjectDefinition = Extract<
  ReturnType<typeof parse>['definitions'][number],
  { kind: Kind.OBJECT_TYPE_DEFINITION | Kind.INPUT_OBJECT_TYPE_DEFINITION }
>;
type Fields = ReturnType<GraphQLObjectType['getFields']>;

/**
 * The schema with the parts in it. Whoever names nothing of them makes none of them; `getTypeMap` and the
 * fields of the type that parts add to are records whose members are made when they are read.
 * @param base the schema with all that the parts refer to and do not define themselves; its own types come
 * first where names clash
 */
export function lazySchema(base: GraphQLSchema, parts: SchemaParts, dress?: Dress): GraphQLSchema {
  return new Lazy(base, parts, dress).schema;
}

class Lazy {
  readonly schema: GraphQLSchema;
  readonly #base: GraphQLSchema;
  readonly #parts: SchemaParts;
  readonly #dress: Dress | undefined;
  readonly #own: ReadonlyMap<string, GraphQLNamedType>;
  readonly #typeMap: Record<string, GraphQLNamedType>;

  constructor(base: GraphQLSchema, parts: SchemaParts, dress: Dress | undefined) {
    this.#base = base;
    this.#parts = parts;
    this.#dress = dress;
    // known of the base from here on: nobody looks at all types of what is made of it
    assertValidSchema(base);
    const holder = base.getType(parts.holder);
    const query = base.getQueryType();
    if (!isObjectType(holder) || !query) throw new Error(`the schema has no type ${parts.holder} to extend`);
    const wider = this.#holderOf(holder);
    this.#own = new Map<string, GraphQLNamedType>([
      [holder.name, wider],
      [query.name, queryTo(query, wider)],
    ]);
    const types = base.getTypeMap();
    this.#typeMap = lazyRecord<GraphQLNamedType>(
      { ...types, ...Object.fromEntries(this.#own) },
      () => parts.types(),
      (name) => this.#made(name),
    );
    const [typeMap, own] = [this.#typeMap, this.#own];
    // a schema made by the constructor would look at every type at once: this one is the base in all but its
    // types
    this.schema = Object.assign(Object.create(base) as GraphQLSchema, {
      getTypeMap: () => typeMap,
      getType: (name: string) => typeMap[name],
      getQueryType: () => own.get(query.name),
      getRootType: (operation: Parameters<GraphQLSchema['getRootType']>[0]) =>
        operation === 'query' ? own.get(query.name) : base.getRootType(operation),
    });
  }

  #holderOf(type: GraphQLObjectType): GraphQLObjectType {
    const wider = new GraphQLObjectType(type.toConfig());
    const fields = lazyRecord<Fields[string]>(
      wider.getFields(),
      () => this.#parts.fields(),
      (name) => this.#field(type.name, name),
    );
    return Object.assign(wider, { getFields: () => fields });
  }

  #field(holder: string, name: string): Fields[string] | undefined {
    const sdl = this.#parts.field(name);
    if (sdl === undefined) return undefined;
    const [definition] = parse(`type ${holder} { ${sdl} }`, { noLocation: true }).definitions;
    const node = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0] : undefined;
    if (node?.name.value !== name) throw new Error(`the part for ${name} does not define it`);
    // the graph has a type of that name already: one part that does not fit leaves the others
    if (this.#base.getType(namedIn(node.type)) !== undefined) return undefined;
    const field = new GraphQLObjectType({ name: holder, fields: { [name]: this.#config(node) } }).getFields()[
      name
    ];
    if (field) this.#dress?.field(field);
    return field;
  }

  #made(name: string): GraphQLNamedType | undefined {
    const sdl = this.#parts.type(name);
    if (sdl === undefined) return undefined;
    const definition = parse(sdl, { noLocation: true }).definitions.find(
      (one): one is ObjectDefinition =>
        (one.kind === Kind.OBJECT_TYPE_DEFINITION || one.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) &&
        one.name.value === name,
    );
    if (!definition) throw new Error(`the part for ${name} does not define it`);
    const described = { name, description: definition.description?.value };
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
      return new GraphQLInputObjectType({
        ...described,
        fields: () => this.#inputs(definition.fields ?? []),
      });
    const type = new GraphQLObjectType({
      ...described,
      fields: () =>
        Object.fromEntries((definition.fields ?? []).map((node) => [node.name.value, this.#config(node)])),
    });
    this.#dress?.type(type);
    return type;
  }

  #config(node: FieldDefinitionNode): GraphQLFieldConfig<unknown, unknown> {
    const type = this.#type(node.type);
    if (!isOutputType(type)) throw new Error(`${node.name.value} cannot be answered with a ${String(type)}`);
    return {
      type: type satisfies GraphQLOutputType,
      args: this.#inputs(node.arguments ?? []),
      description: node.description?.value,
    };
  }

  #inputs(nodes: readonly InputValueDefinitionNode[]): Record<string, GraphQLInputFieldConfig> {
    return Object.fromEntries(
      nodes.map((node) => {
        const type = this.#type(node.type);
        if (!isInputType(type)) throw new Error(`${node.name.value} cannot be given as a ${String(type)}`);
        return [
          node.name.value,
          { type, description: node.description?.value, defaultValue: defaultOf(node.defaultValue, type) },
        ];
      }),
    );
  }

  #type(node: TypeNode): GraphQLType {
    if (node.kind === Kind.LIST_TYPE) return new GraphQLList(this.#type(node.type));
    // SDL has no `!!`
    if (node.kind === Kind.NON_NULL_TYPE) return new GraphQLNonNull(this.#type(node.type) as never);
    const found = this.#typeMap[node.name.value];
    if (found === undefined) throw new Error(`no type ${node.name.value} in the schema or its parts`);
    return found;
  }
}

const namedIn = (node: TypeNode): string =>
  node.kind === Kind.NAMED_TYPE ? node.name.value : namedIn(node.type);
const defaultOf = (value: ConstValueNode | undefined, type: GraphQLInputType): unknown =>
  value === undefined ? undefined : valueFromAST(value, type);

/** The same root type, its field that leads to the parts with their type. */
function queryTo(query: GraphQLObjectType, holder: GraphQLObjectType): GraphQLObjectType {
  const config = query.toConfig();
  const leading = Object.entries(config.fields).filter(
    ([, { type }]) => String(type).replace('!', '') === holder.name,
  );
  return new GraphQLObjectType({
    ...config,
    fields: {
      ...config.fields,
      ...Object.fromEntries(
        leading.map(([name, field]) => [name, { ...field, type: new GraphQLNonNull(holder) }]),
      ),
    },
  });
}

/**
 * A record of members that are there and of members that are made when they are first read: listing its keys
 * makes none.
 */
function lazyRecord<Value extends object>(
  present: Readonly<Record<string, Value>>,
  names: () => Iterable<string>,
  make: (name: string) => Value | undefined,
): Record<string, Value> {
  const target = Object.assign(Object.create(null) as Record<string, Value>, present);
  const get = (name: string | symbol): Value | undefined => {
    if (typeof name === 'symbol') return undefined;
    const known = target[name];
    if (known !== undefined) return known;
    const made = make(name);
    if (made !== undefined) target[name] = made;
    return made;
  };
  let keys: Set<string> | undefined;
  const all = (): Set<string> => (keys ??= new Set([...Object.keys(present), ...names()]));
  return new Proxy(target, {
    get: (_, name) => get(name),
    has: (_, name) => typeof name === 'string' && all().has(name),
    ownKeys: () => [...all()],
    getOwnPropertyDescriptor: (_, name) =>
      typeof name === 'string' && all().has(name)
        ? { configurable: true, enumerable: true, get: () => get(name) }
        : undefined,
  });
}
