// Generates hostile operations from a schema: deep, wide, with many aliases, fragments and variables.
import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLObjectType,
} from 'graphql';
import { FILE_HASH, HUBS, LARGE, SAMPLES, STORED } from './dense.ts';

export interface MadeOperation {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Deterministic numbers from 0 to 1 for a seed (mulberry32). */
function randomBy(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const IDS = ['population', ...HUBS.slice(0, 4), SAMPLES[0] ?? '', LARGE[0] ?? '', STORED];
const TYPES = ['Hub', 'Sample', 'Large', 'Population', 'Stored'];
/** What all entities can be grouped by and measured; texts of large ones, too. */
const NAMES = ['id', 'entity_type', 'version', 'created_at', 'updated_at', 'is_available', 'text', 'n'];
const ORDERS = ['-created_at', 'text', '-n', 'id'];
const EXPANDS = [
  'knows[]',
  'knows[].knows[]',
  'knows[].knows[].knows[]',
  'knows[].knows[].knows[].knows[].knows[]',
  'hub.hubs[].hubs[]',
  'population.knows[]',
];
/** Filters of the feed: true for all, true for none, and expensive ones. */
const FILTERS = [
  'event_type != "x"',
  'actor == "nobody"',
  'string(payload.initial_state.text).matches("(0.*){6}q") || event_type == "y"',
];
const SIZES = [1, 3, 12, 12, 100, 1000];

export class OperationMaker {
  readonly #schema: GraphQLSchema;
  readonly #random: () => number;
  #fields = 0;
  #aliases = 0;
  #fragments: string[] = [];
  #variables = new Map<string, [type: string, value: unknown]>();

  constructor(schema: GraphQLSchema, seed: number) {
    this.#schema = schema;
    this.#random = randomBy(seed);
  }

  #one<T>(from: readonly T[]): T {
    const found = from[Math.floor(this.#random() * from.length)];
    if (found === undefined) throw new Error('nothing to choose from');
    return found;
  }

  query(): MadeOperation {
    const root = this.#schema.getQueryType();
    if (!root) throw new Error('a schema without queries');
    const depth = this.#one([3, 5, 8, 12, 16]);
    const roots = this.#one([1, 1, 2, 5, 20]);
    const allowed = Object.values(root.getFields()).filter(({ name }) => !FORBIDDEN.has(name));
    const steep = allowed.filter(({ name }) => MUCH.has(name));
    return this.#operation('query', this.#random() < 0.7 ? steep : allowed, roots, depth);
  }

  /** A feed from the beginning of the log, which delivers at once, or an export. */
  subscription(): MadeOperation {
    const fields = Object.values(this.#schema.getSubscriptionType()?.getFields() ?? {});
    return this.#operation('subscription', fields, 1, this.#one([2, 3, 5]));
  }

  #operation(
    kind: 'query' | 'subscription',
    wanted: readonly GraphQLField<unknown, unknown>[],
    roots: number,
    depth: number,
  ): MadeOperation {
    this.#fields = this.#aliases = 0;
    this.#fragments = [];
    this.#variables = new Map();
    const most = Math.floor(560 / roots);
    const [first] = [this.#one(wanted)];
    const parts = Array.from({ length: roots }, (_, i) =>
      this.#field(i % 3 === 2 ? this.#one(wanted) : first, depth, most, `r${i}`),
    );
    const declared = [...this.#variables].map(([name, [type]]) => `$${name}: ${type}`);
    return {
      query: `${kind} Fuzz${declared.length > 0 ? `(${declared.join(', ')})` : ''} { ${parts.join(' ')} } ${this.#fragments.join(' ')}`,
      variables: Object.fromEntries([...this.#variables].map(([name, [, value]]) => [name, value])),
    };
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number, most: number, alias?: string): string {
    this.#fields++;
    const args = field.args.flatMap((arg) => this.#argument(arg));
    const type = getNamedType(field.type);
    const selected = isObjectType(type)
      ? ` { ${this.#selection(type, depth - 1, most)} }`
      : isCompositeType(type)
        ? ' { __typename }'
        : '';
    return `${alias === undefined ? '' : `${alias}: `}${field.name}${args.length > 0 ? `(${args.join(', ')})` : ''}${selected}`;
  }

  /**
   * One or two fields to descend into, preferring those with more data; beside them large fields, or aliases
   * of them.
   */
  #selection(type: GraphQLObjectType, depth: number, most: number): string {
    const fields = Object.values(type.getFields());
    const leaves = fields.filter(
      (field) =>
        !isCompositeType(getNamedType(field.type)) && !field.args.some((arg) => isNonNullType(arg.type)),
    );
    const below = fields.filter((field) => isCompositeType(getNamedType(field.type)));
    const parts: string[] = ['__typename'];
    const wide = this.#random() < 0.15 && this.#aliases < 60;
    for (const leaf of leaves) {
      if (this.#fields > most || !(LARGE_FIELDS.has(leaf.name) || this.#random() < 0.3)) continue;
      this.#fields++;
      parts.push(leaf.name);
      if (wide && LARGE_FIELDS.has(leaf.name))
        for (let i = 0; i < 25; i++) {
          this.#aliases++;
          this.#fields++;
          parts.push(`${leaf.name}${i}: ${leaf.name}`);
        }
    }
    const expanded = fields.find(({ name }) => name === 'expanded');
    if (expanded && this.#random() < 0.3)
      parts.push(`expanded(paths: ${JSON.stringify(this.#one(EXPANDS))})`);
    if (depth > 0) {
      const steep = below.filter(({ name }) => STEEP.has(name));
      for (let i = this.#one([1, 1, 2]); i > 0 && below.length > 0 && this.#fields < most; i--) {
        const field = this.#one(steep.length > 0 && this.#random() < 0.8 ? steep : below);
        this.#aliases++;
        parts.push(this.#field(field, depth, most, this.#aliases < 95 ? `f${this.#aliases}` : undefined));
      }
    }
    if (this.#random() > 0.15) return parts.join(' ');
    const name = `F${this.#fragments.length}`;
    this.#fragments.push(`fragment ${name} on ${type.name} { ${parts.join(' ')} }`);
    return `...${name}`;
  }

  #argument(arg: GraphQLArgument): string[] {
    const value = this.#value(arg.name, arg.type);
    if (value === undefined) return [];
    if (this.#random() > 0.3) return [`${arg.name}: ${literal(value, arg.type)}`];
    const name = `v${this.#variables.size}`;
    this.#variables.set(name, [String(arg.type), value]);
    return [`${arg.name}: $${name}`];
  }

  #value(name: string, type: GraphQLInputType): unknown {
    if (isNonNullType(type)) return this.#value(name, type.ofType) ?? this.#needed(name, type.ofType);
    if (['limit', 'first'].includes(name)) return this.#random() < 0.85 ? this.#one(SIZES) : undefined;
    if (name === 'entityType') return this.#one(TYPES);
    if (name === 'groupBy' || name === 'of') return NAMES.filter(() => this.#random() < 0.3);
    if (name === 'orderBy') return this.#random() < 0.3 ? this.#one(ORDERS) : undefined;
    if (name === 'count') return this.#random() < 0.3 ? 'EXACT' : undefined;
    if (name === 'direction') return 'BOTH';
    if (name === 'after') return 'start';
    if (name === 'filter' && this.#random() < 0.5) return this.#one(FILTERS);
    if (name === 'maxDepth') return this.#one([3, 100]);
    if (name === 'asOf' && this.#random() < 0.1) return '2035-01-01T00:00:00Z';
    return undefined;
  }

  #needed(name: string, type: GraphQLInputType): unknown {
    if (isListType(type)) {
      const item = isNonNullType(type.ofType) ? type.ofType.ofType : type.ofType;
      return Array.from({ length: this.#one([1, 1, 20, 100]) }, () => this.#needed(name, item));
    }
    if (isEnumType(type)) return type.getValues()[0]?.value;
    if (isInputObjectType(type))
      return Object.fromEntries(
        Object.values(type.getFields()).flatMap((field) =>
          isNonNullType(field.type) ? [[field.name, this.#needed(field.name, field.type.ofType)]] : [],
        ),
      );
    switch (getNamedType(type).name) {
      case 'ID':
        return this.#id(name);
      case 'JSON':
        return {};
      case 'DateTime':
        return '2035-01-01T00:00:00Z';
      case 'Int':
      case 'Float':
        return 10;
      case 'Boolean':
        return true;
      default:
        return TEXTS[name] ?? (name === 'paths' ? this.#one(EXPANDS) : 'x');
    }
  }

  #id(argument: string): string {
    if (argument === 'hash') return FILE_HASH;
    return argument === 'runId' ? 'run-1' : this.#one(IDS);
  }
}

const TEXTS: Readonly<Record<string, string>> = { q: 'all', field: 'file', host: 'localhost' };

/** Root fields that a viewer may not ask for. All others are asked for, also those that are added later. */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'apiKeys',
  'evaluateTrigger',
  'failedDeliveries',
  'latestScan',
  'syncEvent',
  'syncEvents',
  'auditRecords',
  'requestEvents',
  'configuration',
  'storeUsage',
  'knownActors',
  'authClients',
  'signIns',
  'backups',
]);
/** Root fields that return much. */
const MUCH: ReadonlySet<string> = new Set([
  'aggregate',
  'drsObjects',
  'entities',
  'entity',
  'entityAt',
  'entityFile',
  'entityHistory',
  'findRelationships',
  'productions',
  'provenanceDocument',
  'relationships',
  'runs',
  'schemas',
  'search',
  'traverse',
  'typed',
  'uploadedFiles',
  'workflowRunCrate',
]);
const LARGE_FIELDS: ReadonlySet<string> = new Set(['data', 'payload', 'text', 'values', 'path']);
const STEEP: ReadonlySet<string> = new Set([
  'items',
  'nodes',
  'edges',
  'node',
  'relationships',
  'target',
  'source',
  'history',
  'entity',
  'stateAt',
  'hubs',
  'hub',
  'next',
  'hubList',
  'sampleList',
  'largeList',
  'relationship',
  'population',
  'runs',
  'productions',
]);

function literal(value: unknown, given: GraphQLInputType): string {
  const type: GraphQLNamedType = getNamedType(given);
  if (isEnumType(type)) return String(value);
  if (Array.isArray(value))
    // The type of its items.
    return `[${value.map((one) => literal(one, type as GraphQLInputType)).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([key, one]) => `${key}: ${JSON.stringify(one)}`)
      .join(', ')}}`;
  return JSON.stringify(value);
}
