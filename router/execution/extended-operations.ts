// Operations over types that depend on stored data: they are not part of the composition, so that storing
// requires no composition or planning. The component that owns the types answers its part, and the others
// theirs.
import {
  assertValidSchema,
  type DocumentNode,
  extendSchema,
  type GraphQLSchema,
  isTypeDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  print,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Component, SchemaExtension, Subscribe } from '../../platform/component.ts';
import { cacheCounts } from '../../platform/metrics/cache-metrics.ts';
import { lazySchema } from '../../platform/lazy-schema.ts';
import { atOneInstant } from './at-one-instant.ts';
import { planExtended } from './extended-plan.ts';
import { fragmentsOf, inlined, rootSelections } from './inline-fragments.ts';
import { introspectInWorker } from './introspect-in-worker.ts';
import { type Introspect, isIntrospection } from './introspection.ts';
import type { Pieces } from './pieces.ts';
import { preparedWithoutJson } from './json-literals.ts';
import { compileNamedProjects } from './named-projects.ts';
import { severalComponents } from './bind-subscription.ts';
import {
  ANOTHER_TRANSPORT,
  assertValid,
  bindPlan,
  type CostCheck,
  type PlanningContext,
  operationNamed,
  prepareOperation,
  type RouterOperation,
} from './prepare-operation.ts';
import { rootFields } from './root-fields.ts';
import { permissionsNeeded } from './root-permissions.ts';
import { compileCost } from './static-cost.ts';
import { touchTypes } from './touch-types.ts';

const CACHED = 500;
/** `__typename` is not one of them. */
const ASKS_SCHEMA = /__(?:schema|type)\b/;

/** Whether the document's text has the name of one of its root fields, whatever it stands for there. */
const mayUse = ({ rootFields }: SchemaExtension, source: string): boolean =>
  rootFields.some((name) => source.includes(name));

/** What an extension was made of, or what it could not be made of. */
interface Known {
  readonly ground: PlanningContext;
  readonly extension: SchemaExtension;
  readonly version: string;
}

/** After a failover, other types may have the same version, in another object. */
const isSame = (known: Known, ground: PlanningContext, extension: SchemaExtension): boolean =>
  known.ground === ground && known.extension === extension && known.version === extension.version;

/** Parsed documents over the typed part. */
const kept = cacheCounts('typed_documents');

/** A component's extension of the graph. */
interface Extended extends Known {
  /** The graph with the extension, whose types are built when an operation names them. */
  readonly schema: GraphQLSchema;
  readonly introspect: Introspect;
  readonly operations: LRUCache<string, RouterOperation>;
}

export class ExtendedOperations {
  readonly #component: Component | undefined;
  readonly #log: Logger;
  readonly #hideSuggestions: boolean;
  #current: Extended | undefined;
  /**
   * The graph with the part of the extension that does not depend on stored data: built once per composition.
   */
  #over:
    { readonly ground: PlanningContext; readonly sdl: string; readonly schema: GraphQLSchema } | undefined;
  #broken: Known | undefined;

  constructor(components: Iterable<Component>, log: Logger, hideSuggestions: boolean) {
    this.#component = [...components].find((component) => component.extension !== undefined);
    this.#log = log;
    this.#hideSuggestions = hideSuggestions;
  }

  /** What documents are held against now. */
  get extension(): SchemaExtension | null {
    return this.#component?.extension?.() ?? null;
  }

  /**
   * Whether a document that was refused may be valid now, because stored types are newer than was known here.
   * @param extension what it was held against, in the version that this had then
   */
  async catchUp(
    source: string,
    extension: SchemaExtension | null,
    version: string | undefined,
  ): Promise<boolean> {
    const isOther = (): boolean => this.extension !== extension || this.extension?.version !== version;
    if (isOther()) return true;
    if (extension === null || !mayUse(extension, source)) return false;
    await this.#component?.followExtension?.();
    return isOther();
  }

  /**
   * The operation, if the document uses the extension or requests the whole schema; null for all others.
   * @throws InvalidDocument, and what preparing throws
   */
  *prepare(
    ground: PlanningContext,
    source: string,
    operationName: string | undefined,
    parseDocument: () => DocumentNode,
    check?: CostCheck,
  ): Pieces<RouterOperation | null> {
    const { extension } = this;
    if (!extension || !(ASKS_SCHEMA.test(source) || mayUse(extension, source))) return null;
    const extended = this.#extended(ground, extension);
    if (!extended) return null;
    const key = `${operationName ?? ''} ${source}`;
    const known = extended.operations.get(key);
    if (known) {
      kept.hits++;
      return known;
    }
    const document = parseDocument();
    const used = usedIn(document, (name) => extension.rootFields.includes(name) || isIntrospection(name));
    if (!used) return null;
    kept.misses++;
    yield* touchTypes(document, extended.schema);
    assertValid(document, extended.schema, this.#hideSuggestions);
    const made = yield* preparedWithoutJson(
      extended.schema,
      source,
      document,
      operationName,
      (text, without) =>
        this.#made(ground, extended, extension, text, operationNamed(without, operationName), without, check),
    );
    const timed = atOneInstant(made, operationNamed(document, operationName), () =>
      ground.components.get('metadata'),
    );
    extended.operations.set(key, timed);
    return timed;
  }

  /** Of a valid document: its other operations may be of another kind, so what goes on is this one alone. */
  *#made(
    ground: PlanningContext,
    { schema, introspect }: Extended,
    { rootFields: ownFields }: SchemaExtension,
    source: string,
    chosen: OperationDefinitionNode,
    document: DocumentNode,
    check?: CostCheck,
  ): Pieces<RouterOperation> {
    const component = this.#component;
    const isAlone = document.definitions.filter((d) => d.kind === Kind.OPERATION_DEFINITION).length === 1;
    const operation: OperationDefinitionNode = {
      ...chosen,
      selectionSet: inlined(chosen.selectionSet, fragmentsOf(document)),
    };
    const alone: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] };
    const [text, name] = [isAlone ? source : print(alone), operation.name?.value];
    const over: PlanningContext = { ...ground, composition: { ...ground.composition, schema }, introspect };
    const roots = rootFields(alone, operation);
    if (!component || !roots.some(({ node }) => ownFields.includes(node.name.value)))
      return yield* prepareOperation(over, text, name, alone, check);
    yield;
    const cost = compileCost(schema, ground.composition.listSizes, alone, operation);
    check?.(cost);
    yield;
    const plan = yield* planExtended(
      ground.composition,
      { component: component.name, rootFields: ownFields, schema },
      operation,
    );
    const prepared = {
      kind: operation.operation,
      name,
      schema,
      permissions: permissionsNeeded(roots, ground.permissions),
      cost,
      namedProjects: compileNamedProjects(roots),
    };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      return {
        ...prepared,
        strategy: 'direct',
        introspects: false,
        run: () => Promise.resolve(ANOTHER_TRANSPORT),
        subscribe: subscribeTo(component, plan === null ? text : null, name),
      };
    return {
      ...prepared,
      ...(plan === null
        ? { strategy: 'direct', introspects: false, run: component.prepare(text, name) }
        : bindPlan(over, plan, alone, operation)),
    };
  }

  #extended(ground: PlanningContext, extension: SchemaExtension): Extended | undefined {
    const current = this.#current;
    if (current !== undefined && isSame(current, ground, extension)) return current;
    if (this.#broken !== undefined && isSame(this.#broken, ground, extension)) return undefined;
    try {
      const { parts } = extension;
      const base = this.#baseOf(ground, extension.sdl);
      const schema = parts === undefined ? base : lazySchema(base, parts);
      const graph = { base, parts };
      return (this.#current = {
        ground,
        extension,
        version: extension.version,
        schema,
        introspect: (source, variables, asker) => introspectInWorker(graph, source, variables, asker),
        operations: new LRUCache({ max: CACHED }),
      });
    } catch (err) {
      this.#log.error(
        { err, component: this.#component?.name },
        'the types generated from stored schemas do not fit the supergraph: they are left out',
      );
      this.#broken = { ground, extension, version: extension.version };
      return undefined;
    }
  }

  #baseOf(ground: PlanningContext, sdl: string): GraphQLSchema {
    if (this.#over?.ground !== ground || this.#over.sdl !== sdl)
      this.#over = {
        ground,
        sdl,
        schema: laidOver(ground.composition.schema, parse(sdl, { noLocation: true })),
      };
    return this.#over.schema;
  }
}

/** @throws InvalidDocument where it selects what more than one component would have to answer */
function subscribeTo(component: Component, text: string | null, name: string | undefined): Subscribe {
  const subscribe = component.subscribe?.bind(component);
  if (text === null || subscribe === undefined) throw severalComponents();
  return (variables, caller) => subscribe(text, variables, caller, name);
}

/**
 * Of the rules for an SDL only this one depends on the graph, and the others take as long as all other work
 * here.
 * @throws Error if it is invalid
 */
function laidOver(schema: GraphQLSchema, sdl: DocumentNode): GraphQLSchema {
  const made = new Set<string>();
  for (const definition of sdl.definitions) {
    if (!isTypeDefinitionNode(definition)) continue;
    const { value: name } = definition.name;
    if (schema.getType(name) || made.has(name)) throw new Error(`the supergraph already has a type ${name}`);
    made.add(name);
  }
  const over = extendSchema(schema, sdl, { assumeValidSDL: true });
  assertValidSchema(over);
  return over;
}

/** Whether any operation of the document, or a fragment of it, has such a field at its root. */
function usedIn(document: DocumentNode, isWanted: (name: string) => boolean): boolean {
  const fragments = fragmentsOf(document);
  return document.definitions.some(
    (d) =>
      d.kind === Kind.OPERATION_DEFINITION && rootSelections(d.selectionSet, fragments, isWanted).length > 0,
  );
}
