// Asks each replica where it stands, for the health report and metrics, whether or not anybody reads there.
import type { Pool } from 'pg';
import { gauge } from '../metrics/process-metrics.ts';
import { type ServerStanding, standingNow } from './standing.ts';

/** One segment of the log: a replica that has so much to replay takes no reads for a while. */
const BEHIND_BYTES = 16n * 1024n * 1024n;
const ANSWER_MS = 1500;

export interface ReplicaStanding {
  readonly name: string;
  /** `lost`: no answer. `foreign`: another database, or another history of this one. */
  readonly state: 'following' | 'behind' | 'lost' | 'foreign' | 'promoted';
  /** What it has yet to replay; null where that is not known. */
  readonly lagBytes: number | null;
}

interface Asked {
  readonly name: string;
  readonly pool: Pool;
}

const lags = new Map<string, number>();
gauge(
  'cairn_database_replica_lag_bytes',
  'What servers of database.read_urls have yet to replay of the log, when they were last asked for the health report.',
  () => [...lags].map(([replica, value]) => ({ labels: { replica }, value })),
  { labels: ['replica'] },
);

async function ask(pool: Pool): Promise<Omit<ServerStanding, 'mark'>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the replica does not answer in time')), ANSWER_MS);
  });
  try {
    return await Promise.race([standingNow(pool, 'replica'), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function probe({ name, pool }: Asked, primary: Omit<ServerStanding, 'mark'>): Promise<ReplicaStanding> {
  let there: Omit<ServerStanding, 'mark'>;
  try {
    there = await ask(pool);
  } catch {
    lags.delete(name);
    return { name, state: 'lost', lagBytes: null }; // its pool logs why
  }
  if (there.place === null) return { name, state: 'promoted', lagBytes: null };
  if (there.system !== primary.system || there.timeline !== primary.timeline)
    return { name, state: 'foreign', lagBytes: null };
  const lag = BigInt(primary.place ?? 0) - BigInt(there.place);
  const lagBytes = lag > 0n ? Number(lag) : 0;
  lags.set(name, lagBytes);
  return { name, state: lag > BEHIND_BYTES ? 'behind' : 'following', lagBytes };
}

/** @throws where the primary does not answer */
export async function probeReplicas(
  replicas: readonly Asked[],
  primary: Pool,
): Promise<readonly ReplicaStanding[]> {
  if (replicas.length === 0) return [];
  const standing = await standingNow(primary, 'primary');
  return Promise.all(replicas.map((replica) => probe(replica, standing)));
}
