// What workflows mean, by their hashes: what a hash is of never changes, so it is read once.
import { LRUCache } from 'lru-cache';
import type { Queryable } from '../../../platform/queryable.ts';
import { findKeptWorkflow } from '../cwl-source/kept-workflow.store.ts';
import { meaningOf, type WorkflowMeaning } from './workflow-meaning.ts';

export type Meanings = LRUCache<string, WorkflowMeaning>;
export const rememberMeanings = (): Meanings => new LRUCache({ max: 200 });

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
  const meaning = meaningOf(kept);
  meanings.set(hash, meaning);
  return meaning;
}
