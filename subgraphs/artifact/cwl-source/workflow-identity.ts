// What a workflow is known by: a hash over all documents that it consists of, not over the one that it begins
// with.
import { createHash } from 'node:crypto';
import type { RuleDefinition } from '../rules/rule-definition.ts';

/** A document of a workflow: where it is as seen from the main one, and `sha256:<hex>` of its bytes. */
export interface DocumentPart {
  /** '' for the main document; relative to it where that can be said, else a whole address. */
  readonly reference: string;
  readonly hash: string;
}

/** Where a workflow begins. */
export interface WorkflowAddress {
  /** Of its main document. */
  readonly url: string;
  /** Names a process of a packed document; empty where none is named. */
  readonly fragment: string;
}

/**
 * Documents that came with the registration have no address: what they refer to relatively leads here, to
 * nowhere.
 */
export const INLINE = 'https://inline.invalid/';

/** Of a rule's workflow; one that came with the rule has an address that leads nowhere. */
export function addressOf({ cwl_url: sent }: RuleDefinition['execute']): WorkflowAddress {
  const text = typeof sent === 'string' ? sent : `${INLINE}workflow.cwl`;
  const at = text.indexOf('#');
  const [url, fragment] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
  return { url: URL.canParse(url) ? new URL(url).href : url, fragment };
}

const PARTS = /^(https?:\/\/[^/?#]+)\/([^?#]*)(\?[^#]*)?$/;
/** Steps up and plain names: whatever resolves such a reference finds the same. */
const PLAIN = /^(?:\.\.\/)*[A-Za-z0-9._~%+@-]+(?:\/[A-Za-z0-9._~%+@-]+)*$/;

/**
 * An address as seen from the main document: relative where both are on one host. The migration that brought
 * identities has the same in SQL.
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

/** The address that a reference means, as seen from the main document. */
export const resolvedFrom = (main: string, reference: string): string =>
  reference === '' ? main : new URL(reference, main).href;

/** In the order of their references: addresses are ASCII. */
const inOrder = (documents: readonly DocumentPart[]): readonly DocumentPart[] =>
  [...documents].sort((a, b) => (a.reference < b.reference ? -1 : 1));

/**
 * The parts of a workflow and `sha256:<hex>` of all of them, with the process that is meant: equal for equal
 * documents that refer to each other in the same way, wherever they were found.
 * @param documents the bytes' hash of each by its address, the main one among them
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
