// Reads a rule's workflow, by URL or embedded, and analyses it (docs/reference/artifact.md#cwl-sources).
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { showProblem } from '../cwl/problem.ts';
import { MAX_TEXT_LENGTH } from '../cwl/source.ts';
import type { CwlPart, CwlWorkflow } from '../cwl/validate.ts';
import { validateInWorker } from './validate-in-worker.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';
import { type Fetched, FetchRefused } from './fetch-cwl.ts';
import { addressOf, type DocumentPart, identifyWorkflow, INLINE, referenceOf } from './workflow-identity.ts';

/** A workflow in stored form, independent of its documents' addresses. */
export interface KnownWorkflow extends Omit<CwlWorkflow, 'documents' | 'steps' | 'parts'> {
  /** Absent for one that was stored before steps were recorded. */
  readonly steps?: CwlWorkflow['steps'];
  /** By document, as a reference from the main one. */
  readonly parts?: readonly (Omit<CwlPart, 'url'> & { readonly reference: string })[];
}

export interface CwlDocument {
  /** `sha256:<hex>` of its bytes. */
  readonly hash: string;
  readonly content: string;
}

export interface ReadWorkflow {
  readonly valid: true;
  readonly workflow: KnownWorkflow;
  /** Over all documents: the workflow's identity. */
  readonly hash: string;
  /** `sha256:<hex>` of the main document's bytes, which `cwl_hash` is compared with. */
  readonly mainHash: string;
  /** Its documents, and the text of each, once. */
  readonly parts: readonly DocumentPart[];
  readonly documents: readonly CwlDocument[];
}

export type WorkflowResult = ReadWorkflow | { readonly valid: false; readonly faults: readonly string[] };

const hashOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function textOf(bytes: Buffer): string {
  if (bytes.length > MAX_TEXT_LENGTH) throw new FetchRefused('is larger than 1 MiB');
  if (!isUtf8(bytes) || bytes.includes(0)) throw new FetchRefused('is not UTF-8 text');
  return bytes.toString('utf8');
}

/** Addresses of files, which runners receive, have no query. */
function alike(urls: readonly string[]): string[] {
  const seen = new Map<string, string>();
  return urls.flatMap((url) => {
    const place = url.replace(/\?.*$/s, '');
    const other = seen.get(place);
    seen.set(place, url);
    return other === undefined
      ? []
      : [`${other} and ${url} differ only in their query, which runners ignore`];
  });
}

/**
 * @param fetch fetches a document by URL
 * @throws never for a workflow's content or references: those are in `faults`
 */
export async function readWorkflow(
  execute: RuleDefinition['execute'],
  fetch: (url: string) => Promise<Fetched>,
): Promise<WorkflowResult> {
  const documents = new Map<string, CwlDocument>();
  const keep = (url: string, bytes: Buffer): string => {
    const content = textOf(bytes);
    documents.set(url, { hash: hashOf(bytes), content });
    return content;
  };
  /** each address is read once, so one that answers differently every time has one content here */
  const read = async (url: string): Promise<string> => {
    const known = documents.get(url);
    if (known !== undefined) return known.content;
    if (url.startsWith(INLINE))
      throw new FetchRefused('an inline workflow cannot refer to other documents by relative addresses');
    return keep(url, (await fetch(url)).bytes);
  };

  const { cwl_url: sent, cwl_content: content, cwl_hash: expected } = execute;
  const address = addressOf(execute);
  const { url, fragment } = address;
  let main: Buffer;
  try {
    main = typeof sent === 'string' ? (await fetch(url)).bytes : Buffer.from(content ?? '', 'base64');
    keep(url, main);
  } catch (fault) {
    if (!(fault instanceof FetchRefused)) throw fault;
    return {
      valid: false,
      faults: [`${typeof sent === 'string' ? `cwl_url ${sent}` : 'cwl_content'} ${fault.message}`],
    };
  }

  const mainHash = hashOf(main);
  const mismatch =
    typeof expected === 'string' && expected !== mainHash
      ? [`cwl_hash is ${expected}, but the workflow has the hash ${mainHash}`]
      : [];
  const result = await validateInWorker(main.toString('utf8'), {
    url: fragment === '' ? url : `${url}#${fragment}`,
    read,
  });
  if (!result.valid) return { valid: false, faults: [...mismatch, ...result.problems.map(showProblem)] };
  if (result.workflow.kind === 'Operation')
    mismatch.push('an Operation describes a workflow and cannot be run');
  mismatch.push(...alike([...documents.keys()]));
  if (mismatch.length > 0) return { valid: false, faults: mismatch };
  const { documents: _, parts, ...rest } = result.workflow;
  const workflow: KnownWorkflow = {
    ...rest,
    parts: parts.map(({ url: at, ...part }) => ({ ...part, reference: referenceOf(url, at) })),
  };
  const identity = identifyWorkflow(
    address,
    [...documents].map(([at, { hash }]) => [at, hash] as const),
  );
  return {
    valid: true,
    workflow,
    hash: identity.hash,
    mainHash,
    parts: identity.documents,
    documents: [...new Map([...documents.values()].map((d): [string, CwlDocument] => [d.hash, d])).values()],
  };
}
