// Writes the stored documents of a workflow as files, so that what was registered is what runs.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowDocument } from './runner.ts';

/** Maximum length of a file name, leaving room for suffixes. */
const MAX_NAME_LENGTH = 200;
/** Maximum bytes of a file name (NAME_MAX of Linux file systems). */
const MAX_NAME_BYTES = 255;

/**
 * A decoded segment of a path, as a runner reads it; unchanged if it cannot be decoded, or is not a file
 * name.
 */
function decoded(part: string): string {
  try {
    const name = decodeURIComponent(part);
    return /[/\\\p{Cc}]/u.test(name) || Buffer.byteLength(name) > MAX_NAME_BYTES ? part : name;
  } catch {
    return part; // not UTF-8
  }
}

/**
 * A path below the directory for an address: relative references between documents of one host stay valid. A
 * runner reads addresses as file names: without the query, escapes decoded; documents that only differ in
 * those are refused at registration.
 */
function placeOf(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const parts = [protocol.replace(':', ''), `${hostname}_${port}`, ...pathname.split('/').map(decoded)];
  return path.join(
    ...parts
      .filter((part) => part !== '' && part !== '.' && part !== '..')
      .map((part) => part.slice(0, MAX_NAME_LENGTH)),
  );
}

/** A path as a reference in a document. */
const referenceTo = (file: string): string =>
  file
    .split(path.sep)
    .map((part) => encodeURIComponent(part))
    .join('/');

export interface LaidOut {
  /** The path of the main document, with its fragment. */
  readonly main: string;
  /** All files. */
  readonly files: readonly string[];
}

/** Addresses of the workflow's documents are replaced by their paths. */
export async function writeWorkflow(
  main: string,
  documents: readonly WorkflowDocument[],
  directory: string,
): Promise<LaidOut> {
  const places = new Map(
    documents.map(({ url }): [string, string] => [url, path.join(directory, placeOf(url))]),
  );
  const longestFirst = [...places].sort(([a], [b]) => b.length - a.length);
  for (const { url, content } of documents) {
    const place = places.get(url) ?? directory;
    const local = longestFirst.reduce(
      (text, [address, file]) =>
        address === url
          ? text
          : text.replaceAll(address, referenceTo(path.relative(path.dirname(place), file))),
      content,
    );
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, local, { flag: 'wx' });
  }
  const [address = main, fragment] = main.split('#', 2);
  const file = places.get(address);
  if (file === undefined) throw new Error(`${address} is not among the documents of the workflow`);
  return { main: fragment === undefined ? file : `${file}#${fragment}`, files: [...places.values()] };
}
