// Lays the documents of a workflow out as files, so that what was registered is what runs, whatever has become of its addresses.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { WorkflowDocument } from './runner.ts';

/** A path below the directory for an address: relative references between documents of one host stay what they are. */
function placeOf(url: string): string {
  const { protocol, host, pathname, search } = new URL(url);
  const parts = [protocol.replace(':', ''), host, ...pathname.split('/')].filter(
    (part) => part !== '' && part !== '.' && part !== '..',
  );
  const clean = parts.map((part) =>
    part.replaceAll(/[^A-Za-z0-9._@+-]/g, (char) => `%${char.codePointAt(0)?.toString(16)}`).slice(0, 200),
  );
  return path.join(...clean) + (search === '' ? '' : Buffer.from(search).toString('hex').slice(0, 100));
}

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
        address === url ? text : text.replaceAll(address, path.relative(path.dirname(place), file)),
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
