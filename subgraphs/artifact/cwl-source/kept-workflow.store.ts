// SQL of workflows as they were kept at registration: what runs is what was checked then.
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow } from './read-workflow.ts';

export interface KeptWorkflow {
  readonly workflow: KnownWorkflow;
  readonly documents: readonly { readonly url: string; readonly content: string }[];
}

/** A workflow by its hash, with all its documents; null where any of it is not kept. */
export async function findKeptWorkflow(db: Queryable, hash: string): Promise<KeptWorkflow | null> {
  const { rows } = await db.query<{ workflow: KnownWorkflow | null }>('SELECT parsed AS workflow FROM artifact.cwl_document WHERE hash = $1', [hash]);
  const workflow = rows[0]?.workflow;
  if (!workflow) return null;
  const { rows: found } = await db.query<{ hash: string; content: string }>('SELECT hash, content FROM artifact.cwl_document WHERE hash = ANY($1::text[])', [workflow.documents.map((d) => d.hash)]);
  const contents = new Map(found.map(({ hash: known, content }) => [known, content]));
  const documents = workflow.documents.flatMap(({ url, hash: known }) => {
    const content = contents.get(known);
    return content === undefined ? [] : [{ url, content }];
  });
  return documents.length === workflow.documents.length ? { workflow, documents } : null;
}
