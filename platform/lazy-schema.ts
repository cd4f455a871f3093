// A GraphQL schema whose types are made when somebody looks at them: however many there could be, an
// operation costs what it names.
import {
  assertValidSchema,
  type ConstValueNode,
  type FieldDefinitionNode,
  getNamedType,
  type GraphQLAbstractType,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLSchema,
  GraphQLString,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLType,
  type InputValueDefinitionNode,
  isInputType,
  isInterfaceType,
  isObjectType,
  isOutputType,
  Kind,
  OperationTypeNode,
  parse,
  type TypeNode,
  valueFromAST,
} from 'graphql';
import type { SchemaParts } from './component.ts';
import { OpenEnum } from './open-enum.ts';
import { withoutPrototype } from './without-prototype.ts';

/** Makes what a type of the parts, or a field that they add to a type, is resolved with. */
export interface Dress {
  /** A type that was just made. */
  type(type: GraphQLObjectType): void;
  /** A field that was just made of a type that parts add to. */
  field(field: ReturnType<GraphQLObjectType['getFields']>[string], holder: string): void;
}

type PartDefinition = Extract<
  ReturnType<typeof parse>['definitions'][number],
  { kind: Kind.OBJECT_TYPE_DEFINITION | Kind.INPUT_OBJECT_TYPE_DEFINITION | Kind.ENUM_TYPE_DEFINITION }
>;
const PART_KINDS: ReadonlySet<Kind> = new Set([
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
]);
type Fields = ReturnType<GraphQLObjectType['getFields']>;

/**
 * The schema with the parts in it. Whoever names nothing of them makes none of them; `getTypeMap` and the
 * fields of the types that parts add to are records whose members are made when they are read.
 * @param base the schema with all that the parts refer to and do not define themselves; its own types come
 * first where names clash
 */
export function lazySchema(base: GraphQLSchema, parts: SchemaParts, dress?: Dress): GraphQLSchema {
  const { schema } = new Lazy(base, parts, dress, false);
  let plain: GraphQLSchema | undefined;
  PLAIN.set(schema, () => (plain ??= new Lazy(base, parts, undefined, true).schema));
  return schema;
}

const PLAIN = new WeakMap<GraphQLSchema, () => GraphQLSchema>();

export const mayHaveOpenEnums = (schema: GraphQLSchema): boolean => PLAIN.has(schema);

/** The same schema with texts in the place of open enums. */
export const withoutOpenEnums = (schema: GraphQLSchema): GraphQLSchema => PLAIN.get(schema)?.() ?? schema;

class Lazy {
  readonly schema: GraphQLSchema;
  readonly #base: GraphQLSchema;
  readonly #parts: SchemaParts;
  readonly #dress: Dress | undefined;
  /** Whether texts are in the place of open enums. */
  readonly #isPlain: boolean;
  readonly #own: ReadonlyMap<string, GraphQLNamedType>;
  readonly #typeMap: Record<string, GraphQLNamedType>;

  constructor(base: GraphQLSchema, parts: SchemaParts, dress: Dress | undefined, isPlain: boolean) {
    this.#isPlain = isPlain;
    this.#base = base;
    this.#parts = parts;
    this.#dress = dress;
    // known of the base from here on: nobody looks at all types of what is made of it
    assertValidSchema(base);
    const types = base.getTypeMap();
    const holders = Object.values(types).filter(
      (type): type is GraphQLObjectType => isObjectType(type) && parts.holds(type.name),
    );
    const own = new Map<string, GraphQLNamedType>(
      holders.map((holder) => [holder.name, this.#added(new GraphQLObjectType(holder.toConfig()))]),
    );
    const roots = new Map(
      [OperationTypeNode.QUERY, OperationTypeNode.MUTATION, OperationTypeNode.SUBSCRIPTION].map((kind) => {
        const root = base.getRootType(kind);
        return [kind, root ? rootTo(root, own) : undefined] as const;
      }),
    );
    for (const root of roots.values()) if (root) own.set(root.name, root);
    this.#own = own;
    this.#typeMap = lazyRecord<GraphQLNamedType>(
      { ...types, ...Object.fromEntries(this.#own) },
      () => parts.types(),
      (name) => this.#made(name),
    );
    const typeMap = this.#typeMap;
    const implementing = (type: GraphQLAbstractType): readonly GraphQLObjectType[] =>
      [...parts.types()]
        .map((name) => typeMap[name])
        .filter((made): made is GraphQLObjectType => isObjectType(made) && isOne(made, type));
    // a schema made by the constructor would look at every type at once: this one is the base in all but its
    // types
    this.schema = Object.assign(Object.create(base) as GraphQLSchema, {
      getTypeMap: () => typeMap,
      getType: (name: string) => typeMap[name],
      getQueryType: () => roots.get(OperationTypeNode.QUERY),
      getMutationType: () => roots.get(OperationTypeNode.MUTATION),
      getSubscriptionType: () => roots.get(OperationTypeNode.SUBSCRIPTION),
      getRootType: (operation: OperationTypeNode) => roots.get(operation),
      getPossibleTypes: (type: GraphQLAbstractType) => [
        ...base.getPossibleTypes(type),
        ...implementing(type),
      ],
      getImplementations(type: GraphQLInterfaceType): ReturnType<GraphQLSchema['getImplementations']> {
        const { objects, interfaces } = base.getImplementations(type);
        return { interfaces, objects: [...objects, ...implementing(type)] };
      },
      isSubType: (type: GraphQLAbstractType, maybe: GraphQLInterfaceType | GraphQLObjectType) =>
        base.isSubType(type, maybe) || (isObjectType(maybe) && isOne(maybe, type)),
    });
  }

  /** The same type with the fields that parts add to it, beside its own. */
  #added(type: GraphQLObjectType): GraphQLObjectType {
    const fieldsOf = type.getFields.bind(type);
    let fields: Fields | undefined;
    return Object.assign(type, {
      getFields: () =>
        (fields ??= lazyRecord<Fields[string]>(
          fieldsOf(),
          () => this.#parts.fields(type.name),
          (name) => this.#field(type.name, name),
        )),
    });
  }

  #field(holder: string, name: string): Fields[string] | undefined {
    const sdl = this.#parts.field(holder, name);
    if (sdl === undefined) return undefined;
    const [definition] = parse(`type ${holder} { ${sdl} }`, { noLocation: true }).definitions;
    const node = definition?.kind === Kind.OBJECT_TYPE_DEFINITION ? definition.fields?.[0] : undefined;
    if (node?.name.value !== name) throw new Error(`the part for ${name} does not define it`);
    // the graph has a type of that name already: one part that does not fit leaves the others
    const answer = innerNameOf(node.type);
    if (this.#base.getType(answer) !== undefined && this.#parts.type(answer) !== undefined) return undefined;
    const field = new GraphQLObjectType({ name: holder, fields: { [name]: this.#config(node) } }).getFields()[
      name
    ];
    if (field) this.#dress?.field(field, holder);
    return field;
  }

  #made(name: string): GraphQLNamedType | undefined {
    const sdl = this.#parts.type(name);
    if (sdl === undefined) return undefined;
    const definition = parse(sdl, { noLocation: true }).definitions.find(
      (one): one is PartDefinition => PART_KINDS.has(one.kind) && 'name' in one && one.name?.value === name,
    );
    if (!definition) throw new Error(`the part for ${name} does not define it`);
    const described = { name, description: definition.description?.value };
    if (definition.kind === Kind.ENUM_TYPE_DEFINITION) {
      const isOpen = definition.directives?.some((directive) => directive.name.value === 'open') ?? false;
      return new (isOpen ? OpenEnum : GraphQLEnumType)({
        ...described,
        values: Object.fromEntries(
          (definition.values ?? []).map((value) => [
            value.name.value,
            { description: value.description?.value },
          ]),
        ),
      });
    }
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION)
      return new GraphQLInputObjectType({
        ...described,
        fields: () => this.#inputs(definition.fields ?? []),
      });
    const type = new GraphQLObjectType({
      ...described,
      interfaces: () =>
        (definition.interfaces ?? []).map((node) => this.#typeMap[node.name.value]).filter(isInterfaceType),
      fields: () =>
        Object.fromEntries((definition.fields ?? []).map((node) => [node.name.value, this.#config(node)])),
    });
    this.#dress?.type(type);
    return this.#parts.holds(name) ? this.#added(type) : type;
  }

  #config(node: FieldDefinitionNode): GraphQLFieldConfig<unknown, unknown> {
    const type = this.#type(node.type);
    if (!isOutputType(type)) throw new Error(`${node.name.value} cannot be answered with a ${String(type)}`);
    return {
      type: type satisfies GraphQLOutputType,
      args: this.#inputs(node.arguments ?? []),
      description: node.description?.value,
      // for its costs
      ...(node.directives?.length ? { astNode: node } : {}),
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
    return this.#isPlain && found instanceof OpenEnum ? GraphQLString : found;
  }
}

/** The name of the type in lists and non-null types. */
export const innerNameOf = (node: TypeNode): string =>
  node.kind === Kind.NAMED_TYPE ? node.name.value : innerNameOf(node.type);
const defaultOf = (value: ConstValueNode | undefined, type: GraphQLInputType): unknown =>
  value === undefined ? undefined : valueFromAST(value, type);

const isOne = (type: GraphQLObjectType, abstract: GraphQLAbstractType): boolean =>
  isInterfaceType(abstract) && type.getInterfaces().includes(abstract);

/** The same root type, its fields that lead to types with parts with these types. */
function rootTo(root: GraphQLObjectType, own: ReadonlyMap<string, GraphQLNamedType>): GraphQLObjectType {
  const config = root.toConfig();
  const leading = Object.entries(config.fields).flatMap(([name, field]) => {
    const to = own.get(getNamedType(field.type).name);
    return isObjectType(to) ? [[name, { ...field, type: new GraphQLNonNull(to) }] as const] : [];
  });
  return leading.length === 0
    ? root
    : new GraphQLObjectType({ ...config, fields: { ...config.fields, ...Object.fromEntries(leading) } });
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
  const target = Object.assign(withoutPrototype<Value>(), present);
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
