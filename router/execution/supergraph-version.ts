// A version of the supergraph: the components' last known SDLs, composed, with the operations prepared on it.
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { shareUnderWay } from '../../platform/coalesce.ts';
import type { Component } from '../../platform/component.ts';
import { masked } from '../../platform/errors.ts';
import type { Permission } from '../../platform/permissions.ts';
import { type Candidate, chooseSdls } from './choose-sdls.ts';
import type { KeptTexts } from '../../platform/kept-texts.ts';
import { createPlanningContext, type PlanningContext, type RouterOperation } from './prepare-operation.ts';
import type { SdlMemory } from './sdl-memory.ts';

const CACHED_DOCUMENTS = 1000;
const CACHED_CHARACTERS = 4_000_000;

/** What clients see at a time. */
export interface SchemaState {
  readonly schema: GraphQLSchema;
  readonly supergraphSdl: string;
}

export interface Version extends PlanningContext {
  readonly missing: readonly string[];
  readonly state: SchemaState;
  /** By a document's text and the operation's name. */
  readonly documents: LRUCache<string, Map<string, RouterOperation>>;
}

export interface VersionFinderOptions {
  readonly components: ReadonlyMap<string, Component>;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly log: Logger;
  readonly memory: SdlMemory | undefined;
  readonly composed: KeptTexts | undefined;
  /** Makes the planner with the version, and not for the first operation that needs it. */
  readonly plansAhead: boolean;
}

export class VersionFinder {
  readonly #options: VersionFinderOptions;
  #found: Version | undefined;
  /** What each component gave when that was found. */
  #given: readonly (string | undefined)[] = [];
  /** Components of which no SDL has ever been known. */
  #unknown: readonly Component[] = [];
  readonly #appearing = shareUnderWay<boolean>();

  constructor(options: VersionFinderOptions) {
    this.#options = options;
  }

  /**
   * The version for the components' current SDLs: the same object while they are unchanged.
   * @throws Error if the components of this process do not compose, or if no component is known
   */
  async find(): Promise<Version> {
    const { components, log, composed } = this.#options;
    const candidates = await Promise.all([...components.values()].map((one) => this.#candidate(one)));
    const given = candidates.map((c) => c.sdls[0]);
    if (this.#found && given.every((sdl, i) => sdl === this.#given[i])) return this.#found;
    const { composition, missing } = chooseSdls(candidates, log, composed);
    if (missing.length > 0)
      log.warn({ missing }, 'components are left out of the schema until they are available');
    await this.#keep(composition.sdls);
    if (this.#options.plansAhead) composition.planning();
    this.#given = given;
    this.#unknown = [...components.values()].filter((_, i) => given[i] === undefined);
    return (this.#found = {
      ...createPlanningContext(composition, components, this.#options.permissions, log),
      missing,
      state: { schema: composition.schema, supergraphSdl: composition.supergraphSdl },
      documents: new LRUCache({
        max: CACHED_DOCUMENTS,
        maxSize: CACHED_CHARACTERS,
        sizeCalculation: (_, source) => source.length + 1,
      }),
    });
  }

  /** Whether a component gives its SDL of which none was known; only these are asked. Never rejects. */
  hasAppeared(): Promise<boolean> {
    return this.#appearing('', async () => {
      const given = await Promise.allSettled(this.#unknown.map((component) => component.sdl()));
      return given.some(({ status }) => status === 'fulfilled');
    });
  }

  async #keep(sdls: ReadonlyMap<string, string>): Promise<void> {
    const { components, memory } = this.#options;
    for (const [name, sdl] of sdls)
      if (components.get(name)?.url !== undefined) await memory?.keep(name, sdl);
  }

  async #candidate(component: Component): Promise<Candidate> {
    const sdls = [
      await this.#fresh(component),
      this.#found?.composition.sdls.get(component.name),
      await this.#options.memory?.recall(component.name),
    ];
    return {
      name: component.name,
      required: component.url === undefined,
      sdls: [...new Set(sdls.filter((s) => s !== undefined))],
    };
  }

  async #fresh(component: Component): Promise<string | undefined> {
    try {
      return await component.sdl();
    } catch (fault) {
      if (component.url === undefined) throw fault;
      this.#options.log.warn(
        { component: component.name, reason: masked(fault).message },
        'the component does not provide its SDL',
      );
      return undefined;
    }
  }
}
