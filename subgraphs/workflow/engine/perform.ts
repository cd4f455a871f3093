// Performs one claimed run's action.
import type { Logger } from 'pino';
import { nodeKey } from '../../../platform/causal-links.ts';
import { isList } from '../../../platform/json-object.ts';
import type { JsonLimits } from '../../../platform/json-shape.ts';
import { ingest } from '../actions/ingest.ts';
import type { Outcome, Tally } from '../actions/outcome.ts';
import { resolve } from '../actions/resolve.ts';
import { AdapterFetchError } from '../adapters/adapter.ts';
import { type ConfiguredAdapter, openAdapter } from '../adapters/open-adapter.ts';
import { redactedBy } from '../adapters/redacted.ts';
import type { ExecuteAs } from '../deps.ts';
import type { ClaimedRun } from '../run-records/run-queue.store.ts';

export interface PerformDeps {
  readonly executeAs: ExecuteAs;
  readonly adapters: ReadonlyMap<string, ConfiguredAdapter>;
  /** Of JSON that adapters read; the defaults if absent. */
  readonly jsonLimits?: JsonLimits | undefined;
  readonly log: Logger;
  /** The start of the trigger's last complete run over the adapter; null before the first. */
  readonly lastCompleteStart: (triggerName: string, adapter: string) => Promise<string | null>;
  /** For each sample of a resolve, in milliseconds. */
  readonly artifactTimeoutMs: number;
  readonly wrote: (runId: string, entityIds: readonly string[]) => Promise<void>;
}

interface StoredAction {
  readonly type?: unknown;
  readonly adapter?: unknown;
  readonly incremental?: unknown;
  readonly entity_type?: unknown;
  readonly criteria?: unknown;
  readonly parameters?: unknown;
  readonly reuse?: unknown;
  readonly as_made?: unknown;
}

/** @throws the signal's reason, and otherwise only errors outside of the run */
export async function perform(
  run: ClaimedRun,
  tally: Tally,
  signal: AbortSignal,
  deps: PerformDeps,
): Promise<Outcome> {
  const action = run.action as StoredAction; // The action's definition at queueing.
  if (action.type === 'ingest') return performIngest(run, action, tally, signal, deps);
  if (action.type === 'resolve') return performResolve(run, action, tally, signal, deps);
  tally.note({
    type: 'ActionUnknown',
    message: `this version does not support actions of type ${String(action.type)}`,
  });
  return { status: 'failed', entityType: null, counts: tally.counts(), errors: tally.errors, unresolved: [] };
}

const ALL_PULLED = 'the adapter does not support incremental pulls: all records are pulled';

async function performIngest(
  run: ClaimedRun,
  action: StoredAction,
  tally: Tally,
  signal: AbortSignal,
  { executeAs, adapters, jsonLimits, log, lastCompleteStart, wrote }: PerformDeps,
): Promise<Outcome> {
  const configured = adapters.get(String(action.adapter));
  const since =
    action.incremental === true && run.triggerName !== null
      ? await lastCompleteStart(run.triggerName, String(action.adapter))
      : null;
  const adapter = async (): ReturnType<typeof openAdapter> => {
    if (!configured) throw new AdapterFetchError(`no adapter named ${String(action.adapter)} is configured`);
    tally.log.redactBy(redactedBy(configured));
    const opened = await openAdapter(configured, jsonLimits);
    if (action.incremental === true && !opened.incremental) {
      log.warn({ adapter: opened.name, trigger: run.triggerName, runId: run.id }, ALL_PULLED);
      tally.log.note('warn', ALL_PULLED);
    }
    return opened;
  };
  return ingest({
    runId: run.id,
    adapter,
    since,
    execute: executeAs(run.acting, nodeKey('run', run.id)),
    tally,
    signal,
    wrote: (ids) => wrote(run.id, ids),
  });
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {}; // It was validated at queueing.

async function performResolve(
  run: ClaimedRun,
  action: StoredAction,
  tally: Tally,
  signal: AbortSignal,
  { executeAs, artifactTimeoutMs, wrote }: PerformDeps,
): Promise<Outcome> {
  // Polls queue their runs with it.
  const { entity } = run.cause as { readonly entity?: { readonly id?: string } };
  return resolve({
    action: {
      entityType: String(action.entity_type),
      criteria: fields(action.criteria),
      parameters: fields(action.parameters),
      reuse: action.reuse === 'fresh' ? 'fresh' : 'any',
      asMade: isList(action.as_made) ? action.as_made.map(String) : [],
    },
    firedBy: entity?.id ?? null,
    artifactTimeoutMs,
    execute: executeAs(run.acting, nodeKey('run', run.id)),
    tally,
    signal,
    wrote: (ids) => wrote(run.id, ids),
  });
}
