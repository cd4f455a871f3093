// What workflows mean, by their hashes: what a hash is of never changes, so it is read once.
import { once } from 'node:events';
import { LRUCache } from 'lru-cache';
import { startThread } from '../../../platform/start-thread.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { findKeptWorkflow, type KeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { meaningOf, type WorkflowMeaning } from './workflow-meaning.ts';

export type Meanings = LRUCache<string, WorkflowMeaning>;
export const rememberMeanings = (): Meanings => new LRUCache({ max: 200 });

/** Characters of a workflow's documents; larger ones, which take long to read, are read in a thread. */
const MAX_CHARACTERS = 2 ** 16;
const MAX_MEMORY_MB = 512;
const MAX_MS = 60_000;
const isLarge = ({ documents }: KeptWorkflow): boolean =>
  documents.reduce((sum, { content }) => sum + content.length, 0) > MAX_CHARACTERS;

/** @throws Error where it takes more time or memory than registration has, by which it was read once */
async function meaningOfLarge({ documents }: KeptWorkflow): Promise<WorkflowMeaning> {
  const worker = await startThread('subgraphs/artifact/staleness/meaning-thread.ts', MAX_MEMORY_MB);
  try {
    const told = once(worker, 'message', { signal: AbortSignal.timeout(MAX_MS) }); // rejects for its 'error', too
    worker.postMessage({ documents });
    const [meaning] = (await told) as [WorkflowMeaning]; // what the thread posts
    return meaning;
  } finally {
    await worker.terminate();
  }
}

/** Null where the documents are not known. */
export async function readMeaning(
  db: Queryable,
  meanings: Meanings,
  hash: string | null,
): Promise<WorkflowMeaning | null> {
  if (hash === null) return null;
  const known = meanings.get(hash);
  if (known !== undefined) return known;
  const kept = await findKeptWorkflow(db, hash);
  if (kept === null) return null;
  const meaning = isLarge(kept) ? await meaningOfLarge(kept) : meaningOf(kept);
  meanings.set(hash, meaning);
  return meaning;
}
