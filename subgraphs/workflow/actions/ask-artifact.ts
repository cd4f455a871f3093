// Requests one sample's entity from the artifact component, which alone decides between reuse, fetch and
// build (docs/reference/workflow.md#what-the-component-does).
import { setTimeout as sleep } from 'node:timers/promises';
import { DomainError } from '../../../platform/errors.ts';
import { isList } from '../../../platform/json-object.ts';
import type { Execute } from '../deps.ts';

export interface Wanted {
  readonly entityType: string;
  readonly criteria: Readonly<Record<string, unknown>>;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly reuse: 'any' | 'fresh';
  /** Names of parameters that nobody gives: with them it was made before, and rules may have no such inputs any more. */
  readonly asMade?: readonly string[];
}

/**
 * The result: ids of entities that were made, none if a stored one was reused; or the reason that there is
 * none.
 */
export type Obtained = { readonly made: readonly string[] } | { readonly reason: string };

const PRODUCE = `mutation ProduceForRun($entityType: String!, $criteria: JSON!, $parameters: JSON, $reuse: ArtifactReuse!) {
  produceArtifact(entityType: $entityType, criteria: $criteria, parameters: $parameters, reuse: $reuse) { entity { id } production { id status } }
}`;
const FOLLOW = 'query FollowProduction($id: ID!) { production(id: $id) { status entityIds error } }';

const UNDER_WAY: ReadonlySet<string> = new Set(['queued', 'running']);
/** The component does not answer, or not in time: docs/reference/workflow.md#unresolved-samples. */
const TIMEOUT: ReadonlySet<string> = new Set([
  'component_unavailable',
  'upstream_timeout',
  'rate_limit_exceeded',
]);
/** The caller for whom the run acts has no rights left: other samples would fail as well. */
const LOST_RIGHTS: ReadonlySet<string> = new Set(['revoked_token', 'insufficient_role']);
const FIRST_WAIT = 100;
const MAX_WAIT_MS = 2000;

interface Produced {
  readonly entity: { readonly id: string } | null;
  readonly production: { readonly id: string; readonly status: string } | null;
}
interface Production {
  readonly status: string;
  readonly entityIds: readonly string[];
  readonly error: unknown;
}

interface Asking {
  readonly execute: Execute;
  /** Adds a line to the log of the run. */
  readonly note: (text: string) => void;
}

/** Those that the component refuses because no rule has inputs for them; none if the action gives one of them. */
function refusedOfBefore(error: unknown, asMade: readonly string[]): readonly string[] {
  if (!(error instanceof DomainError) || error.code !== 'validation_failed') return [];
  const stray = error.details['parameters'];
  return isList(stray) && stray.every((name) => asMade.some((one) => one === name)) ? stray.map(String) : [];
}

async function request(
  { asMade = [], ...wanted }: Wanted,
  { execute, note }: Asking,
  signal: AbortSignal,
): Promise<Produced> {
  try {
    // The document selects it.
    return (await execute(PRODUCE, wanted, signal))['produceArtifact'] as Produced;
  } catch (error) {
    const refused = refusedOfBefore(error, asMade);
    if (refused.length === 0) throw error;
    note(
      `asked for without ${refused.join(', ')}: it was made with that, and no rule has such an input any more`,
    );
    const kept = Object.entries(wanted.parameters).filter(([name]) => !refused.includes(name));
    const others = asMade.filter((name) => !refused.includes(name));
    return request(
      { ...wanted, parameters: Object.fromEntries(kept), asMade: others },
      { execute, note },
      signal,
    );
  }
}

async function produce(wanted: Wanted, asking: Asking, signal: AbortSignal): Promise<Obtained> {
  const { execute, note } = asking;
  const answer = await request(wanted, asking, signal);
  const { production } = answer;
  if (!production) return { made: [] };
  note(`production ${production.id} is waited for`);
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    // The document selects it.
    const now = (await execute(FOLLOW, { id: production.id }, signal))['production'] as Production | null;
    if (now === null) return { reason: 'production_failed' };
    if (!UNDER_WAY.has(now.status))
      return now.status === 'completed' ? { made: now.entityIds } : { reason: `production_${now.status}` };
    await sleep(wait, undefined, { signal });
  }
}

/**
 * @param timeoutMs after which the sample is `artifact_timeout`; the artifact component continues its work
 * @throws the signal's reason; errors that do not concern the sample
 */
export async function askArtifact(
  wanted: Wanted,
  asking: Asking,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Obtained> {
  const late = new AbortController();
  const timer = setTimeout(() => {
    late.abort();
  }, timeoutMs);
  try {
    const ended = new Promise<Obtained>((resolve) => {
      late.signal.addEventListener(
        'abort',
        () => {
          resolve({ reason: 'artifact_timeout' });
        },
        { once: true },
      );
    });
    return await Promise.race([ended, produce(wanted, asking, AbortSignal.any([signal, late.signal]))]);
  } catch (error) {
    signal.throwIfAborted();
    if (late.signal.aborted) return { reason: 'artifact_timeout' };
    if (!(error instanceof DomainError) || LOST_RIGHTS.has(error.code)) throw error;
    return { reason: TIMEOUT.has(error.code) ? 'artifact_timeout' : `${error.code}: ${error.message}` };
  } finally {
    clearTimeout(timer);
  }
}
