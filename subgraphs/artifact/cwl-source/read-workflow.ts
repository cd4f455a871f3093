// Gets a rule's workflow, by URL or as it was sent, and finds out what it is (spec 3 «Registration validation» 1).
import { createHash } from 'node:crypto';
import { isUtf8 } from 'node:buffer';
import { showProblem } from '../cwl/problem.ts';
import { MOST_TEXT } from '../cwl/source.ts';
import type { CwlWorkflow } from '../cwl/validate.ts';
import { validateApart } from './validate-apart.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';
import type { CwlDocument } from './cwl-documents.store.ts';
import { type Fetched, FetchRefused } from './fetch-cwl.ts';

/** A workflow as it is kept: what it is, and every document that it is made of by the hash it had. */
export type KnownWorkflow = Omit<CwlWorkflow, 'documents'> & { readonly documents: readonly { readonly url: string; readonly hash: string }[] };

export type WorkflowResult =
  | { readonly valid: true; readonly workflow: KnownWorkflow; readonly hash: string; readonly documents: readonly CwlDocument[] }
  | { readonly valid: false; readonly faults: readonly string[] };

/** Documents that came with the registration have no address: what they refer to relatively leads here, to nowhere. */
const INLINE = 'https://inline.invalid/';

export const hashOf = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

function textOf(bytes: Buffer): string {
  if (bytes.length > MOST_TEXT) throw new FetchRefused('is larger than 1 MiB');
  if (!isUtf8(bytes) || bytes.includes(0)) throw new FetchRefused('is not UTF-8 text');
  return bytes.toString('utf8');
}

/** @param fetch gets a document by URL @throws never for what a workflow holds or where it leads: that is in `faults` */
export async function readWorkflow(execute: RuleDefinition['execute'], fetch: (url: string) => Promise<Fetched>): Promise<WorkflowResult> {
  const documents = new Map<string, CwlDocument>();
  const keep = (url: string, bytes: Buffer): string => {
    const content = textOf(bytes);
    documents.set(url, { hash: hashOf(bytes), content, parsed: null });
    return content;
  };
  const read = async (url: string): Promise<string> => {
    if (url.startsWith(INLINE)) throw new FetchRefused('an inline workflow cannot refer to other documents by relative addresses');
    return keep(url, (await fetch(url)).bytes);
  };

  const { cwl_url: address, cwl_content: content, cwl_hash: expected } = execute;
  const name = typeof address === 'string' ? address : `${INLINE}workflow.cwl`;
  const [url = name] = name.split('#', 1);
  let main: Buffer;
  try {
    main = typeof address === 'string' ? (await fetch(url)).bytes : Buffer.from(content ?? '', 'base64');
    keep(url, main);
  } catch (fault) {
    if (!(fault instanceof FetchRefused)) throw fault;
    return { valid: false, faults: [`${typeof address === 'string' ? `cwl_url ${address}` : 'cwl_content'} ${fault.message}`] };
  }

  const hash = hashOf(main);
  const mismatch = typeof expected === 'string' && expected !== hash ? [`cwl_hash is ${expected}, but the workflow's is ${hash}`] : [];
  const result = await validateApart(main.toString('utf8'), { url: name, read });
  if (!result.valid) return { valid: false, faults: [...mismatch, ...result.problems.map(showProblem)] };
  if (result.workflow.kind === 'Operation') mismatch.push('an Operation describes a workflow and cannot be run');
  if (mismatch.length > 0) return { valid: false, faults: mismatch };
  const workflow: KnownWorkflow = { ...result.workflow, documents: [...documents].map(([at, { hash: known }]) => ({ url: at, hash: known })) };
  return { valid: true, workflow, hash, documents: [...new Map([...documents.values()].map((d): [string, CwlDocument] => [d.hash, d.hash === hash ? { ...d, parsed: workflow } : d])).values()] };
}
