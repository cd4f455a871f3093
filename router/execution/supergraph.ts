// The supergraph: composes the components, prepares operations over them, and follows their changes without a restart.
import { type DocumentNode, type GraphQLSchema, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Component, PreparedOperation } from '../../platform/component.ts';
import { DomainError, masked } from '../../platform/errors.ts';
import type { Permission } from '../../platform/permissions.ts';
import { DEFAULT_LIMITS, type DocumentLimits, parseWithin } from './document-limits.ts';
import { ExtendedOperations } from './extended-operations.ts';
import { InvalidDocument } from './invalid-document.ts';
import { preparedWithoutJson } from './json-literals.ts';
import {
  assertValid,
  type CostCheck,
  createGround,
  type Ground,
  prepareOperation,
  type RouterOperation,
} from './prepare-operation.ts';
import { rootFields } from './root-fields.ts';
import type { SdlMemory } from './sdl-memory.ts';
import { type Candidate, settle } from './settle.ts';

const CACHED_DOCUMENTS = 1000;
const CACHED_CHARACTERS = 4_000_000;

export interface SupergraphOptions {
  readonly components: readonly Component[];
  /** Root field coordinate → permission, of all components together. A root field without an entry is denied. */
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly log: Logger;
  /** How often remote components are asked for their SDL, in milliseconds; 0 for never. Default 5000. */
  readonly pollMs?: number;
  /** Where the last good SDL of remote components is kept, for starts at which they are away. */
  readonly memory?: SdlMemory;
  /** What clients' documents may hold at most; trusted documents are not measured. */
  readonly limits?: DocumentLimits;
  /** Keeps names of the schema out of complaints about documents, for where introspection is off. */
  readonly hideSuggestions?: boolean;
}

/** What clients see at one time. */
export interface SchemaState {
  readonly schema: GraphQLSchema;
  readonly supergraphSdl: string;
}

export interface Supergraph {
  readonly state: SchemaState;
  /** Components that nothing is known of yet. */
  readonly missing: readonly string[];
  /**
   * The operation of a client's document; known documents come from a cache. It keeps running on the composition it was
   * prepared with, so prepare again for every request instead of keeping it.
   * @throws InvalidDocument; DomainError `component_unavailable` where a root field's component is missing, `insufficient_role`
   * where no role may use a root field; what `check` throws, which is asked before an operation is planned
   */
  prepare(source: string, operationName?: string, check?: CostCheck): RouterOperation;
  /**
   * A trusted document (a REST row's): prepared now and again whenever the supergraph changes. Running it never rejects.
   * @throws InvalidDocument at once if the document is wrong while no component is missing
   */
  bind(source: string, operationName?: string): PreparedOperation;
  /** Looks at the components' SDLs and swaps the supergraph if they changed. Never rejects: what is wrong is logged, and the old one stays. */
  refresh(): Promise<void>;
  /** Tells of every swap; answers the way to stop listening. */
  onChange(listener: (state: SchemaState) => void): () => void;
  /** Stops following the components; they themselves stay open. */
  close(): void;
}

interface Version extends Ground {
  readonly missing: readonly string[];
  readonly state: SchemaState;
  readonly documents: LRUCache<string, Map<string, RouterOperation>>;
}

/** @throws Error where the components of this process do not compose, or where no component at all is known */
export async function createSupergraph(options: SupergraphOptions): Promise<Supergraph> {
  const {
    permissions,
    log,
    memory,
    pollMs = 5000,
    limits = DEFAULT_LIMITS,
    hideSuggestions = false,
  } = options;
  const components = new Map(options.components.map((c) => [c.name, c]));
  const listeners = new Set<(state: SchemaState) => void>();
  const extensions = new ExtendedOperations(components.values(), log, hideSuggestions);

  const fresh = async (component: Component): Promise<string | undefined> => {
    try {
      return await component.sdl();
    } catch (fault) {
      if (component.url === undefined) throw fault;
      log.warn(
        { component: component.name, reason: masked(fault).message },
        'the component does not tell its SDL',
      );
      return undefined;
    }
  };

  const candidate = async (component: Component): Promise<Candidate> => {
    const sdls = [
      await fresh(component),
      version?.composition.sdls.get(component.name),
      await memory?.recall(component.name),
    ];
    return {
      name: component.name,
      required: component.url === undefined,
      sdls: [...new Set(sdls.filter((s) => s !== undefined))],
    };
  };

  let version: Version | undefined;
  const look = async (): Promise<Version> => {
    const candidates = await Promise.all([...components.values()].map(candidate));
    const unchanged = version && candidates.every((c) => c.sdls[0] === version?.composition.sdls.get(c.name));
    if (version && unchanged) return version;
    const { composition, missing } = settle(candidates, log);
    if (missing.length > 0) log.warn({ missing }, 'components are left out of the schema until they come');
    for (const [name, sdl] of composition.sdls)
      if (components.get(name)?.url !== undefined) await memory?.keep(name, sdl);
    return {
      ...createGround(composition, components, permissions, log),
      missing,
      state: { schema: composition.schema, supergraphSdl: composition.supergraphSdl },
      documents: new LRUCache({
        max: CACHED_DOCUMENTS,
        maxSize: CACHED_CHARACTERS,
        sizeCalculation: (_, source) => source.length + 1,
      }),
    };
  };

  let current = await look();
  version = current;

  let looking: Promise<void> | undefined;
  const refreshOnce = async (): Promise<void> => {
    try {
      const found = await look();
      if (found === current) return;
      version = current = found;
      log.info({ components: [...found.composition.sdls.keys()] }, 'the supergraph has changed');
      for (const listener of listeners) listener(current.state);
    } catch (fault) {
      log.error({ err: fault }, 'the supergraph could not be renewed: the old one stays');
    }
  };
  const refresh = (): Promise<void> =>
    (looking ??= refreshOnce().finally(() => {
      looking = undefined;
    }));

  const fromDocument = (
    ground: Version,
    source: string,
    document: DocumentNode,
    operationName: string | undefined,
    check?: CostCheck,
  ): RouterOperation =>
    orUnavailable(
      ground,
      () => document,
      operationName,
      () => {
        assertValid(document, ground.state.schema, hideSuggestions);
        return preparedWithoutJson(ground.state.schema, source, document, operationName, (text, made) =>
          prepareOperation(ground, text, operationName, made, check),
        );
      },
    );

  const stops = [...components.values()].flatMap((c) => c.onChange?.(() => void refresh()) ?? []);
  const timer =
    pollMs > 0 && [...components.values()].some((c) => c.url !== undefined)
      ? setInterval(() => void refresh(), pollMs).unref()
      : undefined;

  return {
    get state() {
      return current.state;
    },
    get missing() {
      return current.missing;
    },
    prepare(source, operationName, check) {
      const { documents } = current;
      let operations = documents.get(source);
      const known = operations?.get(operationName ?? '');
      if (known) return known;
      let parsed: DocumentNode | undefined;
      const document = (): DocumentNode => (parsed ??= parseWithin(source, limits));
      const extended = orUnavailable(current, document, operationName, () =>
        extensions.prepare(current, source, operationName, document, check),
      );
      if (extended) return extended;
      const made = fromDocument(current, source, document(), operationName, check);
      if (!operations) documents.set(source, (operations = new Map()));
      operations.set(operationName ?? '', made);
      return made;
    },
    bind(source, operationName) {
      const document = parse(source);
      let ground = current;
      let operation =
        current.missing.length > 0 ? undefined : fromDocument(current, source, document, operationName);
      return (variables, caller) => {
        try {
          if (operation === undefined || ground !== current) {
            operation = fromDocument(current, source, document, operationName);
            ground = current;
          }
        } catch (fault) {
          const known = fault instanceof InvalidDocument ? masked(fault.message) : masked(fault);
          if (known.code === 'internal_error')
            log.error(
              { err: fault, requestId: caller.requestId },
              'a trusted document no longer fits the supergraph',
            );
          return Promise.resolve({
            data: null,
            errors: [{ message: known.message, extensions: known.extensions }],
          });
        }
        return operation.run(variables, caller);
      };
    },
    refresh,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      clearInterval(timer);
      for (const stop of stops) stop();
    },
  };
}

/** What `make` makes; where it finds a document wrong for want of a component, that is what it says. */
function orUnavailable<Made>(
  ground: Version,
  document: () => DocumentNode,
  operationName: string | undefined,
  make: () => Made,
): Made {
  try {
    return make();
  } catch (fault) {
    throw fault instanceof InvalidDocument && ground.missing.length > 0
      ? (unavailable(ground, document(), operationName) ?? fault)
      : fault;
  }
}

/** Where the document uses a root field that the platform has but the schema, for want of its component, has not. */
function unavailable(
  ground: Version,
  document: DocumentNode,
  operationName: string | undefined,
): DomainError | undefined {
  const absent = document.definitions.some(
    (d) =>
      d.kind === Kind.OPERATION_DEFINITION &&
      (operationName ?? d.name?.value) === d.name?.value &&
      rootFields(document, d).some(
        ({ coordinate, node }) =>
          Object.hasOwn(ground.permissions, coordinate) &&
          ground.state.schema.getRootType(d.operation)?.getFields()[node.name.value] === undefined,
      ),
  );
  if (!absent) return undefined;
  const component = ground.missing.join(', ');
  return new DomainError('component_unavailable', `${component} cannot be reached`, {
    component,
    upstream_status: null,
  });
}
