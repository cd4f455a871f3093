// Answers introspection in a separate thread, so that it does not block other requests.
import path from 'node:path';
import { setImmediate as others } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { type GraphQLSchema, printSchema } from 'graphql';
import type { SchemaParts } from '../../platform/component.ts';
import { badRequest, DomainError } from '../../platform/errors.ts';
import { projectRoot } from '../../platform/project-root.ts';

/** The messages to the thread. */
export type Asked =
  | { readonly kind: 'schema'; readonly sdl: string; readonly holder: string | null }
  | {
      readonly kind: 'parts';
      readonly types: readonly (readonly [string, string])[];
      readonly fields: readonly (readonly [string, string])[];
    }
  | { readonly kind: 'ask'; readonly source: string; readonly variables: Readonly<Record<string, unknown>> };
/** The thread's answer: JSON by response key, or an error. */
export type Told = { readonly texts: Readonly<Record<string, string>> } | { readonly message: string };

/** A graph at one time: a new object for each change. */
export interface Graph {
  readonly base: GraphQLSchema;
  readonly parts: SchemaParts | undefined;
}

interface Builder {
  readonly build: (entry: string) => Promise<string>;
}

const MAX_MS = 30_000;
const MAX_MEMORY_MB = 1024;
/** Maximum number of waiting callers. */
const MAX_WAITING = 32;
/** Milliseconds after which an idle thread ends and frees its memory. */
const IDLE_MS = 60_000;
/** Number of types that are serialised without yielding. */
const AT_ONCE = 50;

class IntrospectionThread {
  #worker: Promise<Worker> | undefined;
  #graph: Graph | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;
  #idle: NodeJS.Timeout | undefined;

  /**
   * Answers callers in sequence.
   * @throws DomainError `component_unavailable` if too many wait, `invalid_request` if it takes too long or
   * too much memory
   */
  ask(
    graph: Graph,
    source: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>> {
    if (this.#waiting >= MAX_WAITING)
      throw new DomainError('component_unavailable', 'too many ask for the schema at once: try again', {
        component: 'introspection',
        upstream_status: null,
      });
    this.#waiting++;
    clearTimeout(this.#idle);
    const answer = this.#last.then(() => this.#answer(graph, source, variables));
    this.#last = answer
      .catch(() => undefined)
      .finally(() => {
        // the caller gets the error
        if (--this.#waiting === 0)
          this.#idle = setTimeout(() => {
            this.#end();
          }, IDLE_MS).unref();
      });
    return answer;
  }

  async #answer(
    graph: Graph,
    source: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, string>>> {
    const worker = await (this.#worker ??= this.#start().catch((fault: unknown) => {
      this.#worker = undefined;
      throw fault;
    }));
    const late = new AbortController();
    const timer = setTimeout(() => {
      late.abort();
    }, MAX_MS);
    worker.ref();
    try {
      if (this.#graph !== graph) await this.#tell(worker, graph);
      const told = await heard(worker, late.signal, () => {
        worker.postMessage({ kind: 'ask', source, variables } satisfies Asked);
      });
      if ('message' in told) throw new Error(told.message);
      return told.texts;
    } catch (fault) {
      this.#end();
      throw fault;
    } finally {
      clearTimeout(timer);
      worker.unref();
    }
  }

  async #tell(worker: Worker, graph: Graph): Promise<void> {
    const { base, parts } = graph;
    worker.postMessage({
      kind: 'schema',
      sdl: printSchema(base),
      holder: parts?.holder ?? null,
    } satisfies Asked);
    if (parts !== undefined) {
      const [types, fields] = [[...parts.types()], [...parts.fields()]];
      for (let i = 0; i < Math.max(types.length, fields.length); i += AT_ONCE) {
        await others();
        const some = (
          names: readonly string[],
          sdlOf: (name: string) => string | undefined,
        ): (readonly [string, string])[] =>
          names.slice(i, i + AT_ONCE).map((name) => [name, sdlOf(name) ?? ''] as const);
        worker.postMessage({
          kind: 'parts',
          types: some(types, (name) => parts.type(name)),
          fields: some(fields, (name) => parts.field(name)),
        } satisfies Asked);
      }
    }
    this.#graph = graph;
  }

  async #start(): Promise<Worker> {
    const { build } = (await import(
      pathToFileURL(path.join(projectRoot, 'scripts', 'run.mjs')).href
    )) as Builder; // scripts are plain JavaScript
    const worker = new Worker(await build('router/execution/introspection-thread.ts'), {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
    });
    worker.on('error', () => {
      this.#end();
    }); // most likely out of memory: the current caller gets the error
    worker.unref();
    return worker;
  }

  #end(): void {
    void this.#worker?.then(
      (worker) => worker.terminate(),
      () => undefined,
    );
    this.#worker = this.#graph = undefined;
  }
}

/** The next answer. @throws DomainError `invalid_request` if there is none */
function heard(worker: Worker, late: AbortSignal, ask: () => void): Promise<Told> {
  return new Promise((resolve, reject) => {
    const settled = (): void => {
      worker.off('message', hear);
      worker.off('exit', gone);
      late.removeEventListener('abort', gone);
    };
    const hear = (told: Told): void => {
      settled();
      resolve(told);
    };
    const gone = (): void => {
      settled();
      reject(badRequest('this takes too long, or too much memory: ask for less of the schema at once'));
    };
    worker.on('message', hear);
    worker.on('exit', gone);
    late.addEventListener('abort', gone);
    if (late.aborted) gone();
    else ask();
  });
}

const thread = new IntrospectionThread();

/**
 * JSON by response key.
 * @param source a document with introspection only, valid in the graph
 * @throws DomainError as above
 */
export const introspectInWorker = (
  graph: Graph,
  source: string,
  variables: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> => thread.ask(graph, source, variables);
