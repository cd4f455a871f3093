// SQL of workflows as registration stored them: what runs is what was checked.
import type { Queryable } from '../../../platform/queryable.ts';
import type { KnownWorkflow, ReadWorkflow } from './read-workflow.ts';
import { type DocumentPart, resolvedFrom } from './workflow-identity.ts';

export interface KeptWorkflow {
  readonly workflow: KnownWorkflow;
  /** Its documents, the main one first, by their references from the main one. */
  readonly documents: readonly { readonly reference: string; readonly content: string }[];
}

/**
 * Stores a workflow with its documents, in an order that all writers share, which avoids deadlocks. The
 * description is that of the latest check.
 */
export async function keepWorkflow(
  db: Queryable,
  { hash, workflow, documents, parts }: Pick<ReadWorkflow, 'hash' | 'workflow' | 'documents' | 'parts'>,
): Promise<void> {
  await db.query(
    `INSERT INTO artifact.cwl_document (hash, content)
     SELECT hash, content FROM unnest($1::text[], $2::text[]) AS k(hash, content) ORDER BY hash ON CONFLICT (hash) DO NOTHING`,
    [documents.map((d) => d.hash), documents.map((d) => d.content)],
  );
  await db.query(
    `INSERT INTO artifact.workflow (hash, parsed, documents) VALUES ($1, $2, $3) ON CONFLICT (hash) DO UPDATE SET parsed = excluded.parsed`,
    [hash, JSON.stringify(workflow), JSON.stringify(parts)],
  );
}

/** A workflow by its hash, with all its documents; null if any of them is not stored. */
export async function findKeptWorkflow(db: Queryable, hash: string | null): Promise<KeptWorkflow | null> {
  const {
    rows: [kept],
  } = await db.query<{ workflow: KnownWorkflow; parts: readonly DocumentPart[] }>(
    'SELECT parsed AS workflow, documents AS parts FROM artifact.workflow WHERE hash = $1',
    [hash],
  );
  if (kept === undefined) return null;
  const { rows } = await db.query<{ hash: string; content: string }>(
    'SELECT hash, content FROM artifact.cwl_document WHERE hash = ANY($1::text[])',
    [kept.parts.map((part) => part.hash)],
  );
  const contents = new Map(rows.map(({ hash: known, content }) => [known, content]));
  const documents = kept.parts.flatMap(({ reference, hash: known }) => {
    const content = contents.get(known);
    return content === undefined ? [] : [{ reference, content }];
  });
  return documents.length === kept.parts.length ? { workflow: kept.workflow, documents } : null;
}

/** What workflows consist of, by their hashes, without their documents. */
export async function findWorkflows(
  db: Queryable,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, KnownWorkflow>> {
  const { rows } = await db.query<{ hash: string; workflow: KnownWorkflow }>(
    'SELECT hash, parsed AS workflow FROM artifact.workflow WHERE hash = ANY($1::text[])',
    [hashes],
  );
  return new Map(rows.map(({ hash, workflow }) => [hash, workflow]));
}

/** The documents by their addresses, for a workflow at a given address. */
export const documentsFrom = (
  main: string,
  { documents }: KeptWorkflow,
): readonly { readonly url: string; readonly content: string }[] =>
  documents.map(({ reference, content }) => ({ url: resolvedFrom(main, reference), content }));
