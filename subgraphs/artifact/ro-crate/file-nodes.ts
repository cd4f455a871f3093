// Files in a crate: their names, sizes, hashes and formats.
import path from 'node:path';
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

/** Media types by the extensions that workflows use; other files are bytes. */
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  txt: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  tab: 'text/tab-separated-values',
  html: 'text/html',
  htm: 'text/html',
  xml: 'application/xml',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  cwl: 'application/cwl',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  gz: 'application/gzip',
  bgz: 'application/gzip',
  bz2: 'application/x-bzip2',
  xz: 'application/x-xz',
  zip: 'application/zip',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  parquet: 'application/vnd.apache.parquet',
  vcf: 'text/plain',
  bed: 'text/plain',
  gff: 'text/plain',
  gff3: 'text/plain',
  gtf: 'text/plain',
  fa: 'text/plain',
  fasta: 'text/plain',
  fq: 'text/plain',
  fastq: 'text/plain',
  sam: 'text/plain',
};
const MEDIA_TYPE = /^\w*\/\w[\w.-]*(?:\+\w[\w.-]*)?$/;

export function mediaTypeOf({
  name,
  location,
  mediaType,
}: Pick<CrateFile, 'name' | 'location' | 'mediaType'>): string {
  if (typeof mediaType === 'string' && MEDIA_TYPE.test(mediaType)) return mediaType;
  const ending = path
    .extname(name ?? location.replace(/[?#].*$/s, ''))
    .slice(1)
    .toLowerCase();
  return (Object.hasOwn(MEDIA_TYPES, ending) ? MEDIA_TYPES[ending] : undefined) ?? 'application/octet-stream';
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
