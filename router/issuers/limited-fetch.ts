// Requests to an issuer elsewhere: what it answers is limited, and while it does not answer it is not asked for each
// token anew (docs/reference/gateway.md#tokens-of-other-issuers).
import { DomainError } from '../../platform/errors.ts';

const MAX_BYTES = 256 * 1024;
const MAX_CONCURRENT = 32;
/** Milliseconds without a further request after one that failed. */
const PAUSE_MS = 2000;

export const issuerUnavailable = (issuer: string, cause: unknown): DomainError =>
  new DomainError(
    'component_unavailable',
    `the issuer ${issuer} does not answer`,
    { component: 'identity_provider', upstream_status: null },
    { cause },
  );

async function bytesOf({ body }: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // a fetched body consists of bytes; the type of Response leaves that open
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) {
    size += read.value.length;
    if (size > MAX_BYTES) {
      await reader?.cancel();
      throw new Error(`the answer is larger than ${MAX_BYTES} bytes`);
    }
    chunks.push(read.value);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

type Asked = Omit<RequestInit, 'body' | 'redirect'> & { readonly body?: RequestInit['body'] | undefined };
type LimitedFetch = (url: string, asked: Asked) => Promise<Response>;

export function limitedFetch(): LimitedFetch {
  let running = 0;
  let failure: { readonly at: number; readonly cause: unknown } | undefined;
  return async (url, { body, ...asked }) => {
    if (failure !== undefined && performance.now() < failure.at + PAUSE_MS)
      throw new Error('it did not answer the last time', { cause: failure.cause });
    if (running >= MAX_CONCURRENT) throw new Error(`${MAX_CONCURRENT} requests are under way`);
    running++;
    try {
      const answer = await fetch(url, {
        ...asked,
        ...(body === undefined ? {} : { body }),
        redirect: 'manual',
      });
      const bytes = await bytesOf(answer);
      if (answer.status >= 500) throw new Error(`it answers with status ${answer.status}`);
      failure = undefined;
      const { status, headers } = answer;
      return new Response(status === 204 || status === 304 ? null : bytes, { status, headers });
    } catch (cause) {
      failure = { at: performance.now(), cause };
      throw cause;
    } finally {
      running--;
    }
  };
}
