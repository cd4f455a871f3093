// Lays the documents of a workflow out as files, so that what was registered is what runs, whatever has
// become of its addresses.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowDocument } from './runner.ts';

/** Of a file, with room for what others put behind it. */
const MAX_NAME_LENGTH = 200;

/** What a part of a path means, as a runner reads it; as it stands where it means nothing, or no file's name. */
function decoded(part: string): string {
  try {
    const name = decodeURIComponent(part);
    return /[/\\\p{Cc}]/u.test(name) ? part : name;
  } catch {
    return part; // no UTF-8
  }
}

/**
 * A path below the directory for an address: relative references between documents of one host stay what they
 * are. A runner reads them as addresses of files: without the query, escapes decoded; documents that differ in
 * nothing else are refused at registration.
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

/** A path as it is written into a document, where references stand. */
const referenceTo = (file: string): string =>
  file
    .split(path.sep)
    .map((part) => encodeURIComponent(part))
    .join('/');

export interface LaidOut {
  /** The file of the main document, with its fragment. */
  readonly main: string;
  /** All files. */
  readonly files: readonly string[];
}

/** Addresses of the documents that stand in each other are replaced by where those are now. */
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
