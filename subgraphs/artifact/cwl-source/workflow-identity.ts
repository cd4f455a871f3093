// The identity of a workflow: a hash over all its documents, not only the main one.
import { createHash } from 'node:crypto';
import type { RuleDefinition } from '../rules/rule-definition.ts';

/** A document of a workflow: its reference from the main document, and `sha256:<hex>` of its bytes. */
export interface DocumentPart {
  /** '' for the main document; relative to it if possible, else a complete address. */
  readonly reference: string;
  readonly hash: string;
}

/** The entry point of a workflow. */
export interface WorkflowAddress {
  /** The address of its main document. */
  readonly url: string;
  /** Names a process of a packed document; empty otherwise. */
  readonly fragment: string;
}

/** Embedded documents have no address: their relative references resolve to this placeholder. */
export const INLINE = 'https://inline.invalid/';

/** The entry point of a rule's workflow; an embedded one has the placeholder address. */
export function addressOf({ cwl_url: sent }: RuleDefinition['execute']): WorkflowAddress {
  const text = typeof sent === 'string' ? sent : `${INLINE}workflow.cwl`;
  const at = text.indexOf('#');
  const [url, fragment] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { url: URL.canParse(url) ? new URL(url).href : url, fragment };
}

const PARTS = /^(https?:\/\/[^/?#]+)\/([^?#]*)(\?[^#]*)?$/;
/** Steps up and plain names: every resolver interprets such a reference identically. */
const PLAIN = /^(?:\.\.\/)*[A-Za-z0-9._~%+@-]+(?:\/[A-Za-z0-9._~%+@-]+)*$/;

/**
 * An address as a reference from the main document: relative if both are on one host. The migration that
 * introduced identities has the same in SQL.
 */
export function referenceOf(main: string, url: string): string {
  if (main === url) return '';
  const [, origin, from = ''] = PARTS.exec(main) ?? [];
  const [, other, to = '', query = ''] = PARTS.exec(url) ?? [];
  if (origin === undefined || origin !== other) return url;
  const above = from.split('/').slice(0, -1);
  const below = to.split('/');
  let shared = 0;
  while (shared < above.length && shared < below.length - 1 && above[shared] === below[shared]) shared++;
  const reference = '../'.repeat(above.length - shared) + below.slice(shared).join('/');
  return PLAIN.test(reference) ? reference + query : url;
}

/** The address of a reference from the main document. */
export const resolvedFrom = (main: string, reference: string): string =>
  reference === '' ? main : new URL(reference, main).href;

/** Sorted by reference: addresses are ASCII. */
const inOrder = (documents: readonly DocumentPart[]): readonly DocumentPart[] =>
  [...documents].sort((a, b) => (a.reference < b.reference ? -1 : 1));

/**
 * The parts of a workflow and `sha256:<hex>` of all of them, with the selected process: equal for equal
 * documents with the same references, wherever they were fetched from.
 * @param documents the hash of each document's bytes by its address, including the main one
 */
export function identifyWorkflow(
  { url, fragment }: WorkflowAddress,
  documents: Iterable<readonly [url: string, hash: string]>,
): { readonly hash: string; readonly documents: readonly DocumentPart[] } {
  const parts = inOrder([...documents].map(([at, hash]) => ({ reference: referenceOf(url, at), hash })));
  const process = createHash('sha256').update(fragment).digest('hex');
  const text = `cairn workflow 1\n${process}\n${parts.map(({ reference, hash }) => `${hash} ${reference}\n`).join('')}`;
  return { hash: `sha256:${createHash('sha256').update(text).digest('hex')}`, documents: parts };
}
