// SQL of the content-addressed CWL documents.
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from './read-workflow.ts';

export interface CwlDocument {
  /** `sha256:<hex>` of its bytes. */
  readonly hash: string;
  readonly content: string;
  /** What a workflow was found to be; null for a document that is only part of one. */
  readonly parsed: KnownWorkflow | null;
}

/** Keeps documents that are not kept yet, in the same order for all: nobody waits in a circle. A part that turns out to be a workflow of its own learns what it is. */
export async function keepDocuments(db: Queryable, documents: readonly CwlDocument[]): Promise<void> {
  await db.query(
    `INSERT INTO artifact.cwl_document AS d (hash, content, parsed)
     SELECT hash, content, parsed FROM unnest($1::text[], $2::text[], $3::jsonb[]) AS k(hash, content, parsed) ORDER BY hash
     ON CONFLICT (hash) DO UPDATE SET parsed = excluded.parsed WHERE d.parsed = 'null' AND excluded.parsed <> 'null'`,
    [documents.map((d) => d.hash), documents.map((d) => d.content), documents.map((d) => JSON.stringify(d.parsed))],
  );
}
