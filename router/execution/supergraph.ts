// The supergraph: composes the components, prepares operations over them, and follows their changes without a
// restart.
import { type DocumentNode, parse } from 'graphql';
import type { Logger } from 'pino';
import type { Component, PreparedOperation } from '../../platform/component.ts';
import { masked } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { cacheCounts } from '../../platform/metrics/cache-metrics.ts';
import type { Permission } from '../../platform/permissions.ts';
import { Turn } from '../../platform/turns.ts';
import type { Asker } from './asked-thread.ts';
import { DEFAULT_DOCUMENT_LIMITS, type DocumentLimits, parseWithin, sizeOf } from './document-limits.ts';
import { ExtendedOperations } from './extended-operations.ts';
import { InvalidDocument } from './invalid-document.ts';
import { preparedWithoutJson } from './json-literals.ts';
import { orUnavailable } from './missing-components.ts';
import { atOnce, finishInTurns, type Pieces } from './pieces.ts';
import { atOneInstant } from './at-one-instant.ts';
import {
  assertValid,
  type CostCheck,
  operationNamed,
  prepareOperation,
  type RouterOperation,
} from './prepare-operation.ts';
import type { KeptTexts } from '../../platform/kept-texts.ts';
import type { SdlMemory } from './sdl-memory.ts';
import { type SchemaState, type Version, VersionFinder } from './supergraph-version.ts';

/** Parsed documents with their plans. */
const documents = cacheCounts('documents');

/** Milliseconds between questions for SDLs while some have never been known, and fields are missing. */
const MISSING_POLL_MS = 1000;
/** Fields, those of fragments counted where they are spread, of documents that are prepared at once. */
const SMALL_SIZE = 100;

export interface SupergraphOptions {
  readonly components: readonly Component[];
  /** Root field coordinate → permission, for all components. A root field without an entry is denied. */
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly log: Logger;
  /**
   * Milliseconds between questions of remote components for their SDL; 0 for never. Default 5000; 1000 while one is missing.
   */
  readonly pollMs?: number;
  /** Stores the last valid SDL of remote components, for starts while they are unavailable. */
  readonly memory?: SdlMemory;
  /** Keeps what was composed for later starts. */
  readonly composed?: KeptTexts;
  /** Makes the planner at once: otherwise the first operation that needs it waits for it. */
  readonly plansAhead?: boolean;
  /** Limits on clients' documents; trusted documents are not limited. */
  readonly limits?: DocumentLimits;
  /** Removes names of the schema from validation errors, if introspection is off. */
  readonly hideSuggestions?: boolean;
}

export interface Supergraph {
  readonly state: SchemaState;
  /** Components whose SDL is not known yet. */
  readonly missing: readonly string[];
  /**
   * The operation of a client's document; known documents are cached. It runs on the composition it was
   * prepared with, so prepare again for every request instead of keeping it.
   * @throws InvalidDocument; DomainError `component_unavailable` if a root field's component is missing,
   * `insufficient_role` if no role may use a root field; the errors of `check`, which runs before planning
   */
  prepare(source: string, operationName?: string, check?: CostCheck): RouterOperation;
  /**
   * The same, in turns with everything else, and of a large document in parts, planned in another thread: what a
   * client sends holds up nobody.
   */
  prepareInTurns(
    source: string,
    asker: Asker,
    operationName?: string,
    check?: CostCheck,
  ): RouterOperation | Promise<RouterOperation>;
  /**
   * A trusted document (a REST row's): prepared now and again whenever the supergraph changes. Running it
   * never rejects.
   * @throws InvalidDocument at once if the document is invalid while no component is missing
   */
  bind(source: string, operationName?: string): PreparedOperation;
  /** What stored types add to the graph. */
  readonly extended: Pick<ExtendedOperations, 'extension' | 'catchUp'>;
  /**
   * Checks the components' SDLs and replaces the supergraph if they changed. Never rejects: errors are
   * logged, and the old one stays.
   */
  refresh(): Promise<void>;
  /** Reports every replacement; returns a function that removes the listener. */
  onChange(listener: (state: SchemaState) => void): () => void;
  /** Stops following the components, which stay open. */
  close(): void;
}

/** @throws Error if the components of this process do not compose, or if no component is known */
export async function createSupergraph(options: SupergraphOptions): Promise<Supergraph> {
  const components = new Map(options.components.map((c) => [c.name, c]));
  const { memory, composed, plansAhead = false } = options;
  const finder = new VersionFinder({ ...options, components, memory, composed, plansAhead });
  return new FollowingSupergraph(options, finder, await finder.find());
}

/** Follows its components from its creation on. */
class FollowingSupergraph implements Supergraph {
  readonly #finder: VersionFinder;
  readonly #log: Logger;
  readonly #limits: DocumentLimits;
  readonly #hideSuggestions: boolean;
  readonly extended: ExtendedOperations;
  readonly #listeners = new Set<(state: SchemaState) => void>();
  readonly #stops: readonly (() => void)[];
  readonly #timers: readonly NodeJS.Timeout[];
  /** Of all small documents that are prepared. */
  readonly #turn = new Turn();
  #current: Version;
  #looking: Promise<void> | undefined;

  constructor(options: SupergraphOptions, finder: VersionFinder, first: Version) {
    const { components, pollMs = 5000, limits = DEFAULT_DOCUMENT_LIMITS, hideSuggestions = false } = options;
    this.#finder = finder;
    this.#current = first;
    this.#log = options.log;
    this.#limits = limits;
    this.#hideSuggestions = hideSuggestions;
    this.extended = new ExtendedOperations(components, this.#log, hideSuggestions);
    this.#stops = components.flatMap((c) => c.onChange?.(() => void this.refresh()) ?? []);
    this.#timers = pollMs > 0 && components.some((c) => c.url !== undefined) ? this.#followed(pollMs) : [];
  }

  get state(): SchemaState {
    return this.#current.state;
  }

  get missing(): readonly string[] {
    return this.#current.missing;
  }

  prepare(source: string, operationName?: string, check?: CostCheck): RouterOperation {
    return this.#known(source, operationName) ?? atOnce(this.#prepared(source, operationName, check));
  }

  prepareInTurns(
    source: string,
    asker: Asker,
    operationName?: string,
    check?: CostCheck,
  ): RouterOperation | Promise<RouterOperation> {
    const known = this.#known(source, operationName);
    if (known) return known;
    let isLarge = false;
    const pieces = this.#prepared(source, operationName, check, (document) => {
      isLarge = sizeOf(document) > SMALL_SIZE;
    });
    const first = pieces.next(); // up to here it may be known, and is parsed otherwise
    if (first.done === true) return first.value;
    if (isLarge) return finishInTurns(pieces, first, asker);
    return this.#turn.isOver ? this.#inTurn(source, operationName, check) : atOnce(pieces, first);
  }

  /** Each takes milliseconds, and a client may send tens of them at one time: meanwhile, another may have made it. */
  async #inTurn(
    source: string,
    operationName: string | undefined,
    check: CostCheck | undefined,
  ): Promise<RouterOperation> {
    await this.#turn.next();
    return this.prepare(source, operationName, check);
  }

  #known(source: string, operationName: string | undefined): RouterOperation | undefined {
    const known = this.#current.documents.get(source)?.get(operationName ?? '');
    if (known) documents.hits++;
    return known;
  }

  *#prepared(
    source: string,
    operationName: string | undefined,
    check: CostCheck | undefined,
    onParsed: (document: DocumentNode) => void = () => undefined,
  ): Pieces<RouterOperation> {
    const current = this.#current;
    let parsed: DocumentNode | undefined;
    const document = (): DocumentNode => {
      if (parsed === undefined) onParsed((parsed = parseWithin(source, this.#limits)));
      return parsed;
    };
    const extended = yield* orUnavailable(current, document, operationName, () =>
      this.extended.prepare(current, source, operationName, document, check),
    );
    if (extended) return extended;
    documents.misses++;
    const made = yield* this.#made(current, source, document(), operationName, check);
    const operations = current.documents.get(source) ?? new Map<string, RouterOperation>();
    operations.set(operationName ?? '', made);
    current.documents.set(source, operations);
    return made;
  }

  bind(source: string, operationName?: string): PreparedOperation {
    const document = parse(source, { noLocation: true });
    let ground = this.#current;
    let operation =
      ground.missing.length > 0 ? undefined : atOnce(this.#made(ground, source, document, operationName));
    return (variables, caller) => {
      try {
        if (operation === undefined || ground !== this.#current) {
          operation = atOnce(this.#made(this.#current, source, document, operationName));
          ground = this.#current;
        }
      } catch (fault) {
        return this.#unfit(fault, caller);
      }
      return operation.run(variables, caller);
    };
  }

  #followed(pollMs: number): readonly NodeJS.Timeout[] {
    const refresh = (): void => void this.refresh();
    const ifMissing = (): void => void this.#finder.hasAppeared().then((has) => has && refresh());
    return [setInterval(refresh, pollMs).unref(), setInterval(ifMissing, MISSING_POLL_MS).unref()];
  }

  refresh(): Promise<void> {
    return (this.#looking ??= this.#refresh().finally(() => {
      this.#looking = undefined;
    }));
  }

  onChange(listener: (state: SchemaState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    for (const stop of this.#stops) stop();
  }

  async #refresh(): Promise<void> {
    try {
      const found = await this.#finder.find();
      if (found === this.#current) return;
      this.#current = found;
      this.#log.info({ components: [...found.composition.sdls.keys()] }, 'the supergraph has changed');
      for (const listener of this.#listeners) listener(found.state);
    } catch (fault) {
      this.#log.error({ err: fault }, 'the supergraph could not be updated: the old one stays in use');
    }
  }

  /** @throws what preparing throws, and DomainError `component_unavailable` */
  *#made(
    ground: Version,
    source: string,
    document: DocumentNode,
    operationName: string | undefined,
    check?: CostCheck,
  ): Pieces<RouterOperation> {
    const hideSuggestions = this.#hideSuggestions;
    return yield* orUnavailable(
      ground,
      () => document,
      operationName,
      function* () {
        const { schema } = ground.state;
        yield;
        assertValid(document, schema, hideSuggestions);
        const made = yield* preparedWithoutJson(schema, source, document, operationName, (text, without) =>
          prepareOperation(ground, text, operationName, without, check),
        );
        return atOneInstant(made, operationNamed(document, operationName), () =>
          ground.components.get('metadata'),
        );
      },
    );
  }

  /** The answer of a trusted document that can no longer be prepared. */
  #unfit(fault: unknown, caller: Caller): ReturnType<PreparedOperation> {
    const known = fault instanceof InvalidDocument ? masked(fault.message) : masked(fault);
    if (known.code === 'internal_error')
      this.#log.error(
        { err: fault, requestId: caller.requestId },
        'a trusted document is no longer valid for the supergraph',
      );
    return Promise.resolve({
      data: null,
      errors: [{ message: known.message, extensions: known.extensions }],
    });
  }
}
