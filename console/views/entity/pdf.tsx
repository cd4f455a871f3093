// A stored PDF, one page at a time, drawn on a canvas. A worker reads the file; nothing in it is run, followed or loaded.
import {
  getDocument,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
  PDFWorker,
} from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { ApiError } from '../../api/api-error.ts';
import { readBytes } from '../../api/client.ts';
import { PDF_WORKER } from '../../api/place.ts';
import { Fault, Loading } from '../../parts/states.tsx';
import { numberText } from '../../parts/text.ts';

const LARGEST = 20_000_000;
/** What one page may take: a file of a few bytes can ask for years. */
const MOST_MS = 20_000;
/** Pixels of the canvas, and of each image on it. */
const MOST_PIXELS = 4_000_000;
const MOST_IMAGE_PIXELS = 16_000_000;
/** Sharp enough to read on a screen. */
const SCALE = 1.5;
const CHARACTERS = 16_384;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: () => string },
  ): { createScriptURL(url: string): string };
}

/** The address of the worker where the browser wants a trusted one: this policy makes no other. */
const trusted = (window as { readonly trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy(
  'cairn-pdf-worker',
  { createScriptURL: () => PDF_WORKER },
);

interface Reading {
  readonly task: PDFDocumentLoadingTask;
  end(): void;
}

function begin(data: Uint8Array): Reading {
  const port = new Worker(trusted?.createScriptURL('') ?? PDF_WORKER, { type: 'module' });
  const worker = PDFWorker.create({ port });
  const task = getDocument({
    data,
    worker,
    isEvalSupported: false,
    useWasm: false,
    useWorkerFetch: false,
    useSystemFonts: true,
    enableXfa: false,
    maxImageSize: MOST_IMAGE_PIXELS,
    canvasMaxAreaInBytes: MOST_PIXELS * 4,
    verbosity: 0,
  });
  return {
    task,
    end: () => {
      // its answer is of no use any more, and a worker that hangs gives none
      void task.destroy();
      port.terminate();
    },
  };
}

const unreadable = (cause: unknown): ApiError => {
  if (cause instanceof ApiError) return cause;
  const isLocked = cause instanceof Error && cause.name === 'PasswordException';
  return new ApiError(
    'unreadable',
    isLocked ? 'It is locked with a password.' : 'It cannot be read as a PDF.',
    { advice: 'Download it.', cause },
  );
};

const tooLong = (): ApiError =>
  new ApiError('too_long', `It takes more than ${MOST_MS / 1000} seconds.`, { advice: 'Download it.' });

interface Shown {
  readonly document: PDFDocumentProxy;
  /** Ends the worker: drawing a page takes too long, and whatever else is asked of it waits for that. */
  readonly giveUp: () => void;
}

/** The document while it is shown; its worker ends with it. */
function useDocument(path: string, isLarge: boolean): Shown | ApiError | undefined {
  const [state, setState] = useState<Shown | ApiError>();
  useEffect(() => {
    if (isLarge) return undefined;
    const gone = new AbortController();
    let reading: Reading | undefined;
    const giveUp = (): void => {
      gone.abort();
      reading?.end();
      setState(tooLong());
    };
    const late = setTimeout(giveUp, MOST_MS);
    const open = async (): Promise<PDFDocumentProxy> => {
      const data = await readBytes(path, LARGEST, gone.signal);
      gone.signal.throwIfAborted();
      reading = begin(data);
      return reading.task.promise;
    };
    open()
      .then(
        (document) => {
          if (!gone.signal.aborted) setState({ document, giveUp });
        },
        (thrown: unknown) => {
          reading?.end();
          if (!gone.signal.aborted) setState(unreadable(thrown));
        },
      )
      .finally(() => {
        clearTimeout(late);
      });
    return () => {
      gone.abort();
      clearTimeout(late);
      reading?.end();
    };
  }, [path, isLarge]);
  return state;
}

/** Draws a page within its pixels. Returns its text. */
async function draw(page: PDFPageProxy, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<string> {
  const plain = page.getViewport({ scale: 1 });
  const scale = Math.min(SCALE, Math.sqrt(MOST_PIXELS / (plain.width * plain.height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const rendering = page.render({ canvas, viewport, annotationMode: 0 });
  signal.addEventListener('abort', () => {
    rendering.cancel();
  });
  await rendering.promise;
  const { items } = await page.getTextContent();
  return items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
}

function PageOf({
  shown: { document, giveUp },
  number,
  title,
}: {
  readonly shown: Shown;
  readonly number: number;
  readonly title: string;
}): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [text, setText] = useState<string>();
  const [error, setError] = useState<ApiError>();
  useEffect(() => {
    const gone = new AbortController();
    const on = canvas.current;
    if (on === null) return undefined;
    setText(undefined);
    setError(undefined);
    const late = setTimeout(giveUp, MOST_MS);
    document
      .getPage(number)
      .then((page) => draw(page, on, gone.signal))
      .then(
        (found) => {
          if (!gone.signal.aborted) setText(found.slice(0, CHARACTERS));
        },
        (thrown: unknown) => {
          if (!gone.signal.aborted) setError(unreadable(thrown));
        },
      )
      .finally(() => {
        clearTimeout(late);
      });
    return () => {
      gone.abort();
      clearTimeout(late);
    };
  }, [document, giveUp, number]);
  return (
    <>
      {error && <Fault error={error} />}
      <canvas
        ref={canvas}
        className="preview paper"
        role="img"
        aria-label={`Page ${number} of ${title}`}
        aria-busy={text === undefined && error === undefined}
      />
      {text !== undefined && text.trim() !== '' && (
        <details>
          <summary>Text of this page</summary>
          <pre className="code" tabIndex={0}>
            {text}
          </pre>
        </details>
      )}
    </>
  );
}

/** The page of each opened document that is not at its first, as `pdf=<hash>/<page>` in the address. */
function usePage(hash: string, last: number): readonly [number, (to: number) => void] {
  const { params, set } = useAddress();
  const all = params.getAll('pdf');
  const own = all.find((entry) => entry.startsWith(`${hash}/`));
  const asked = Math.trunc(Number(own?.slice(hash.length + 1) ?? 1)) || 1;
  const go = (to: number): void => {
    const others = all.filter((entry) => entry !== own);
    set({ pdf: to === 1 ? others : [...others, `${hash}/${to}`] });
  };
  return [Math.min(Math.max(1, asked), last), go];
}

function Pages({ shown, hash, title }: { readonly shown: Shown } & Record<'hash' | 'title', string>) {
  const { numPages } = shown.document;
  const [number, go] = usePage(hash, numPages);
  const step = (by: number) => (): void => {
    go(number + by);
  };
  return (
    <>
      <nav aria-label={`Pages of ${title}`} className="row">
        <button type="button" className="button" disabled={number <= 1} onClick={step(-1)}>
          Previous
        </button>
        <span role="status">
          Page {numberText(number)} of {numberText(numPages)}
        </span>
        <button type="button" className="button" disabled={number >= numPages} onClick={step(1)}>
          Next
        </button>
      </nav>
      <PageOf key={number} shown={shown} number={number} title={title} />
    </>
  );
}

interface Props {
  readonly file: { readonly hash: string; readonly name: string | null; readonly size: number };
  readonly path: string;
}

export default function Pdf({ file, path }: Props): ReactNode {
  const isLarge = file.size > LARGEST;
  const shown = useDocument(path, isLarge);
  if (isLarge) return <p className="quiet">It is too large to be shown here; download it.</p>;
  if (shown === undefined) return <Loading what="the document" />;
  if (shown instanceof ApiError) return <Fault error={shown} />;
  return <Pages shown={shown} hash={file.hash} title={file.name ?? 'the stored PDF'} />;
}
