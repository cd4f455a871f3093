// The beginning of a stored file: text, a table, an image, a PDF. What compresses by gzip is read as what it holds.
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { ApiError, asApiError } from '../../api/api-error.ts';
import { readBytes } from '../../api/client.ts';
import { Fault, Loading } from '../../parts/states.tsx';
import { cut, sizeText } from '../../parts/text.ts';

/** With its reader, a file of its own. */
const Pdf = lazy(() => import('./pdf.tsx'));

export interface FileInfo {
  readonly hash: string;
  readonly name: string | null;
  readonly mediaType: string | null;
  readonly size: number;
}

type Kind = 'text' | 'table' | 'image' | 'pdf';

const TEXTS =
  /\.(?:txt|json|ndjson|ya?ml|md|vcf|fastq|fq|fasta|fa|sam|log|cwl|bed|gff3?|gtf|stats|html?|xml)$/i;
const TABLES: Readonly<Record<string, string>> = { csv: ',', tsv: '\t', tab: '\t' };
const IMAGES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
  svg: 'image/svg+xml',
};

const endingOf = (name: string): string => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
/** The name without the ending of a compression that browsers can read. */
const plainName = ({ name }: FileInfo): string => (name ?? '').replace(/\.b?gz$/i, '');
const isCompressed = ({ name, mediaType }: FileInfo): boolean =>
  /\.b?gz$/i.test(name ?? '') || mediaType === 'application/gzip';

const imageType = (file: FileInfo): string | undefined =>
  Object.values(IMAGES).find((type) => type === file.mediaType) ?? IMAGES[endingOf(file.name ?? '')];

/** How a file can be shown; undefined where it cannot. */
export function kindOf(file: FileInfo): Kind | undefined {
  const { mediaType } = file;
  const name = plainName(file);
  if (imageType(file) !== undefined) return 'image';
  if (mediaType === 'application/pdf' || endingOf(file.name ?? '') === 'pdf') return 'pdf';
  if (endingOf(name) in TABLES || mediaType === 'text/csv' || mediaType === 'text/tab-separated-values')
    return 'table';
  const isText = (mediaType ?? '').startsWith('text/') || mediaType === 'application/json';
  return isText || TEXTS.test(name) ? 'text' : undefined;
}

/** Bytes of a file that are read for text and tables; an image is read whole, up to a size. */
const BEGINNING = 65_536;
const LARGEST_IMAGE = 20_000_000;
/** Characters and rows that are shown. */
const CHARACTERS = 16_384;
const ROWS = 100;

/** What the bytes hold, as far as it goes: the beginning of a compressed file ends within it. */
async function expanded(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: Uint8Array[] = [];
  try {
    for (let size = 0; size < BEGINNING;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      size += value.length;
    }
  } catch (fault) {
    // the end is missing, or another member follows; without any bytes it is no gzip
    if (!(fault instanceof TypeError) || parts.length === 0) throw fault;
  }
  // buffers of a stream are never shared memory
  return new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
}

interface Beginning {
  readonly text: string;
  readonly isWhole: boolean;
}

async function readBeginning(path: string, file: FileInfo, signal: AbortSignal): Promise<Beginning> {
  const bytes = await readBytes(path, BEGINNING, signal);
  const content = isCompressed(file) ? await expanded(bytes) : bytes;
  return {
    text: new TextDecoder().decode(content, { stream: true }),
    isWhole: !isCompressed(file) && bytes.length >= file.size,
  };
}

/** The result of a promise while a component is shown. */
function useLoaded<Result>(
  key: string,
  load: (signal: AbortSignal) => Promise<Result>,
): Result | ApiError | undefined {
  const [state, setState] = useState<Result | ApiError>();
  useEffect(() => {
    const gone = new AbortController();
    load(gone.signal).then(setState, (thrown: unknown) => {
      if (!gone.signal.aborted) setState(asApiError(thrown));
    });
    return () => {
      gone.abort();
    };
    // the key stands for the function
  }, [key]);
  return state;
}

const Part = ({ file, what }: { readonly file: FileInfo; readonly what: string }): ReactNode => (
  <p className="quiet small">
    {what} of {sizeText(file.size)}.
  </p>
);

interface Props {
  readonly file: FileInfo;
  readonly path: string;
}

function Text({ file, path }: Props): ReactNode {
  const read = useLoaded(path, (signal) => readBeginning(path, file, signal));
  if (read === undefined) return <Loading what="the file" />;
  if (read instanceof ApiError) return <Fault error={read} />;
  const { text, isWhole } = read;
  return (
    <>
      <pre className="code" tabIndex={0}>
        {text.slice(0, CHARACTERS)}
      </pre>
      {(!isWhole || text.length > CHARACTERS) && <Part file={file} what="The beginning" />}
    </>
  );
}

async function readTable(path: string, file: FileInfo, signal: AbortSignal) {
  const [{ parse }, { text, isWhole }] = await Promise.all([
    import('csv-parse/browser/esm/sync'),
    readBeginning(path, file, signal),
  ]);
  const delimiter = TABLES[endingOf(plainName(file))] ?? (file.mediaType === 'text/csv' ? ',' : '\t');
  // the last line may be cut
  const lines = isWhole ? text : text.slice(0, text.lastIndexOf('\n') + 1);
  const rows = parse(lines, {
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    to: ROWS + 1,
  });
  return { rows, isWhole: isWhole && rows.length <= ROWS };
}

function Sheet({ file, path }: Props): ReactNode {
  const read = useLoaded(path, (signal) => readTable(path, file, signal));
  if (read === undefined) return <Loading what="the table" />;
  if (read instanceof ApiError) return <Text file={file} path={path} />; // no table, whatever its name says
  const [head = [], ...rows] = read.rows;
  return (
    <>
      <div
        className="tablebox"
        role="region"
        aria-label={`Beginning of ${file.name ?? 'the table'}`}
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              {head.map((title, i) => (
                <th key={i} scope="col">
                  <bdi>{cut(title, 200)}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((cells, row) => (
              <tr key={row}>
                {cells.map((text, i) => (
                  <td key={i}>
                    <bdi>{cut(text, 200)}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {!read.isWhole && <Part file={file} what={`The first ${rows.length} rows`} />}
    </>
  );
}

function Picture({ file, path }: Props): ReactNode {
  const [isBroken, setBroken] = useState(false);
  const isLarge = file.size > LARGEST_IMAGE;
  const read = useLoaded(path, async (signal) => {
    const bytes = isLarge ? new Uint8Array() : await readBytes(path, LARGEST_IMAGE, signal);
    // as an image it runs no scripts and loads nothing, SVG included
    return new Blob([bytes], { type: imageType(file) ?? '' });
  });
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!(read instanceof Blob) || read.size === 0) return undefined;
    const made = URL.createObjectURL(read);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
    };
  }, [read]);
  if (isLarge) return <p className="quiet">It is too large to be shown here; download it.</p>;
  if (read instanceof ApiError) return <Fault error={read} />;
  if (isBroken) return <p className="quiet">This browser cannot show it; download it.</p>;
  if (url === undefined) return <Loading what="the image" />;
  return (
    <img
      className="preview"
      src={url}
      alt={file.name ?? 'The stored image'}
      onError={() => {
        setBroken(true);
      }}
    />
  );
}

const PREVIEWS = { text: Text, table: Sheet, image: Picture, pdf: Pdf } as const;

export function Preview({ kind, ...props }: Props & { readonly kind: Kind }): ReactNode {
  const Shown = PREVIEWS[kind];
  return (
    <Suspense fallback={<Loading what="the reader" />}>
      <Shown {...props} />
    </Suspense>
  );
}
