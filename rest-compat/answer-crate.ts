// Answers a row whose payload is RO-Crate metadata with the whole crate: a ZIP archive of the metadata, of the workflow
// and of the files that the caller may read, streamed (docs/reference/artifact.md#ro-crate).
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { OpenContent } from '../platform/component.ts';
import { isObject } from '../platform/json-object.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { storedHashIn } from '../platform/stored-file-address.ts';
import type { Prepare } from './answering.ts';
import { attachment, safeName } from '../platform/attachment.ts';
import { domainErrorOf } from './failing.ts';
import { filesOutOfReach } from './files-out-of-reach.ts';

/** Files that one operation asks for: a crate of a thousand files is some thirty operations, of few documents. */
const FILES_AT_ONCE = 32;
const METADATA = 'ro-crate-metadata.json';
/** Equal crates are equal archives: the earliest time that the format has, and one order. */
const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true, compress: false };

/** A file that is part of the archive. */
interface Held {
  /** Its address, by which the metadata names it. */
  readonly id: string;
  readonly hash: string;
  readonly size: number;
  /** Its place in the archive. */
  readonly place: string;
}

/** A document whose text stands in the metadata: the main workflow, which a Workflow RO-Crate has to contain. */
interface Written {
  readonly id: string;
  readonly text: string;
  readonly place: string;
}

type Node = Readonly<Record<string, unknown>>;

const nodesOf = (crate: unknown): readonly Node[] =>
  isObject(crate) && Array.isArray(crate['@graph']) ? crate['@graph'].filter(isObject) : [];

/** `files/<begin of the hash>/<name>`: names may be there twice. */
const placeOf = (hash: string, name: unknown, id: string): string =>
  `files/${hash.slice('sha256:'.length, 'sha256:'.length + 12)}/${safeName(typeof name === 'string' && name !== '' ? name : (id.split('/').at(-1) ?? 'file'))}`;

const asUri = (place: string): string => place.split('/').map(encodeURIComponent).join('/');

interface StoredFile {
  readonly size: number;
  readonly evictedAt: string | null;
}

const documentFor = (count: number): string => {
  const files = Array.from({ length: count }, (_, i) => i);
  const fields = files.map((i) => `f${i}: storedFile(hash: $h${i}) { size evictedAt }`);
  return `query CrateFiles(${files.map((i) => `$h${i}: ID!`).join(', ')}) { ${fields.join(' ')} }`;
};

/** The files of these hashes that the caller may read, by their hashes. @throws DomainError */
async function storedFiles(
  hashes: readonly string[],
  { caller }: RequestContext,
  prepare: Prepare,
): Promise<ReadonlyMap<string, StoredFile>> {
  const found = new Map<string, StoredFile>();
  for (let from = 0; from < hashes.length; from += FILES_AT_ONCE) {
    const group = hashes.slice(from, from + FILES_AT_ONCE);
    const variables = Object.fromEntries(group.map((hash, i) => [`h${i}`, hash]));
    const { data, errors } = await prepare(documentFor(group.length)).run(variables, caller);
    const error = errors?.[0];
    if (error) throw domainErrorOf(error);
    for (const [i, hash] of group.entries()) {
      const file = data?.[`f${i}`] as StoredFile | null; // as selected
      if (file) found.set(hash, file);
    }
  }
  return found;
}

/** Stored files of the crate that the caller may read, in the order of their places. @throws DomainError */
async function heldIn(crate: unknown, ctx: RequestContext, prepare: Prepare): Promise<readonly Held[]> {
  const named = nodesOf(crate).flatMap(({ '@id': id, '@type': type, name }) => {
    const hash = typeof id === 'string' && type === 'File' ? storedHashIn(id) : null;
    return typeof id !== 'string' || hash === null ? [] : [{ id, hash, name }];
  });
  const files = await storedFiles([...new Set(named.map(({ hash }) => hash))], ctx, prepare);
  return named
    .flatMap(({ id, hash, name }) => {
      const file = files.get(hash);
      if (file?.evictedAt !== null) return []; // it stays an address
      return [{ id, hash, size: file.size, place: placeOf(hash, name, id) }];
    })
    .sort((a, b) => (a.place < b.place ? -1 : 1));
}

/** The main workflow, under the name that its address has. */
function workflowIn(crate: unknown): Written | null {
  for (const { '@id': id, '@type': type, text } of nodesOf(crate)) {
    const isMain = Array.isArray(type) && type.includes('File') && type.includes('ComputationalWorkflow');
    if (!isMain || typeof id !== 'string' || typeof text !== 'string') continue;
    const name = new URL(id).pathname.split('/').at(-1) ?? '';
    return { id, text, place: `workflow/${name.endsWith('.cwl') ? safeName(name) : 'workflow.cwl'}` };
  }
  return null;
}

/** The metadata with files by their places in the archive; where they can be downloaded is said beside. */
function localised(crate: unknown, held: readonly Held[], workflow: Written | null): unknown {
  const places = new Map(held.map(({ id, place }) => [id, asUri(place)]));
  const placeOfId = (id: string): string | undefined => {
    if (workflow === null || !(id === workflow.id || id.startsWith(`${workflow.id}#`))) return places.get(id);
    return asUri(workflow.place) + id.slice(workflow.id.length); // its parts are named by it
  };
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked);
    if (!isObject(value)) return value;
    const id = value['@id'];
    const place = typeof id === 'string' ? placeOfId(id) : undefined;
    const members = Object.entries(value).map(([key, member]) => [key, walked(member)] as const);
    if (place === undefined) return Object.fromEntries(members);
    const isDownload = value['@type'] !== undefined && places.has(String(id));
    return { ...Object.fromEntries(members), '@id': place, ...(isDownload ? { contentUrl: id } : {}) };
  };
  return walked(crate);
}

/**
 * Streams the archive, whose length is known before: memory does not grow with its files.
 * @throws DomainError; after the answer has begun too, which then has to be broken off
 */
export async function sendCrate(
  ctx: RequestContext,
  crate: unknown,
  name: string,
  { prepare, content: open }: { readonly prepare: Prepare; readonly content?: OpenContent | undefined },
): Promise<void> {
  const { req, res, caller } = ctx;
  const held = await heldIn(crate, ctx, prepare);
  if (held.length > 0 && open === undefined) throw filesOutOfReach();
  const workflow = workflowIn(crate);
  const zip = new ZipFile();
  zip.addBuffer(
    Buffer.from(`${JSON.stringify(localised(crate, held, workflow), null, 2)}\n`),
    METADATA,
    ENTRY,
  );
  for (const { hash, size, place } of held)
    zip.addReadStreamLazy(place, { ...ENTRY, size }, (take) => {
      if (size === 0 || open === undefined) return take(null, Readable.from([]));
      open({ hash, size, first: 0, last: size - 1 }, caller).then(
        (content) => take(null, content),
        (fault: unknown) => take(fault, Readable.from([])),
      );
    });
  if (workflow !== null) zip.addBuffer(Buffer.from(workflow.text), workflow.place, ENTRY);
  const length = await new Promise<number>((resolve) => {
    // yazl's type leaves out the size that it tells
    zip.end({ comment: '', forceZip64Format: false }, resolve as () => void);
  });
  res.writeHead(200, {
    'content-type': 'application/zip',
    'content-disposition': attachment(`${name}.crate.zip`),
    'cache-control': 'private, no-cache',
    ...(length < 0 ? {} : { 'content-length': length }),
  });
  if (req.method === 'HEAD') return void res.end();
  const output = zip.outputStream as Readable; // yazl's type says less
  zip.on('error', (fault: Error) => output.destroy(fault));
  try {
    await pipeline(output, res);
  } catch (fault) {
    if (caller.signal?.aborted !== true) throw fault;
  }
}
