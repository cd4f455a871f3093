// Files in a crate: their names, sizes, hashes and formats.
import path from 'node:path';
import { mediaTypeOf } from '../../../platform/media-type.ts';
import { type Graph, type Node, type Ref, ref } from './graph.ts';

/** A file as it was used or made. */
export interface CrateFile {
  readonly location: string;
  /** The entity's field that names it; a secondary file has `<the primary's field>/<its name>`. */
  readonly field: string;
  readonly hash: string | null;
  readonly size: number | null;
  readonly name: string | null;
  /** The URI of the format, as in CWL. */
  readonly format?: string | null;
  readonly mediaType?: string | null;
}

const isWeb = (id: string): boolean => /^(?:https?|ftps?):\/\//i.test(id);

/** `accessed`: when a file from the web was fetched. */
export function addFile(
  graph: Graph,
  file: CrateFile,
  more: Readonly<Record<string, Ref | readonly Ref[]>> & { readonly accessed?: never },
  accessed: string | null,
): Ref {
  const { location, name, size, hash, format } = file;
  const kind =
    typeof format === 'string' && URL.canParse(format)
      ? graph.add({ '@id': format, '@type': 'WebSite', name: formatName(format), url: format })
      : null;
  const node: Node = {
    '@id': location,
    '@type': 'File',
    name: name ?? path.posix.basename(location),
    encodingFormat: kind === null ? mediaTypeOf(file) : [mediaTypeOf(file), kind],
    ...(size === null ? {} : { contentSize: String(size) }),
    ...(hash === null ? {} : { sha256: hash.replace('sha256:', '') }),
    ...(accessed !== null && isWeb(location) ? { sdDatePublished: accessed } : {}),
    ...more,
  };
  return graph.add(node);
}

/** `EDAM format_3016` for http://edamontology.org/format_3016. */
const formatName = (address: string): string => {
  const own = address.split(/[/#]/).findLast((part) => part !== '') ?? address;
  return address.includes('edamontology.org') ? `EDAM ${own}` : own;
};

export const references = (ids: readonly string[]): readonly Ref[] => [...new Set(ids)].map(ref);
