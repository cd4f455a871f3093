// Media types of files, by what is known of them or by their names.
import path from 'node:path';

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

/** @param location counts where there is no name */
export function mediaTypeOf({
  name,
  location = '',
  mediaType,
}: {
  readonly name: string | null;
  readonly location?: string;
  readonly mediaType?: string | null | undefined;
}): string {
  if (typeof mediaType === 'string' && MEDIA_TYPE.test(mediaType)) return mediaType;
  const ending = path
    .extname(name ?? location.replace(/[?#].*$/s, ''))
    .slice(1)
    .toLowerCase();
  return (Object.hasOwn(MEDIA_TYPES, ending) ? MEDIA_TYPES[ending] : undefined) ?? 'application/octet-stream';
}
