// Uploads to a component in another process: streamed to its REST API, by the tus protocol.
import { PassThrough } from 'node:stream';
import type { Dispatcher, Pool } from 'undici';
import type { ReceiveContent } from '../../platform/component.ts';
import { DomainError, isErrorCode } from '../../platform/errors.ts';
import { identityHeaders } from '../../platform/identity.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';

export interface RemoteUploadsOptions {
  readonly pool: Pool;
  readonly name: string;
  /** Of uploads, with a trailing slash. */
  readonly path: string;
  readonly sign: SignIdentity;
  readonly unavailable: (status: number | null, cause?: unknown) => DomainError;
}

type Answer = Dispatcher.ResponseData;

/** An error in the gateway's shape, as the component answered it. */
async function errorOf(
  { statusCode, body }: Answer,
  unavailable: RemoteUploadsOptions['unavailable'],
): Promise<DomainError> {
  const value: unknown = await body.json().catch(() => null); // what is no JSON is no answer of ours
  if (typeof value !== 'object' || value === null) return unavailable(statusCode);
  const { error, message, details } = value as Readonly<Record<string, unknown>>; // an object
  if (!isErrorCode(error) || typeof message !== 'string') return unavailable(statusCode);
  return new DomainError(
    error,
    message,
    typeof details === 'object' && details !== null ? { ...details } : {},
  );
}

const headerOf = ({ headers }: Answer, name: string): string | null => {
  const value = headers[name];
  return typeof value === 'string' ? value : null;
};

export function receiving({ pool, name, path, sign, unavailable }: RemoteUploadsOptions): ReceiveContent {
  return async ({ uploadId, offset, length, checksum }, content, caller, stop) => {
    const { actor, roles, projects } = caller;
    const signed = await sign({ actor, roles, projects }, name);
    // undici destroys a body that it does not consume, and with a request its socket
    const body = content.pipe(new PassThrough());
    const end = (): void => {
      body.destroy();
    };
    content.once('close', () => {
      if (!content.readableEnded) end();
    });
    stop.addEventListener('abort', end, { once: true });
    try {
      const answer = await pool.request({
        path: path + uploadId,
        method: 'PATCH',
        body,
        headersTimeout: 0, // the end of a large file is answered when its hash is known
        headers: {
          ...identityHeaders(caller, signed),
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
          ...(length === null ? {} : { 'upload-length': String(length) }),
          ...(checksum === null ? {} : { 'upload-checksum': `${checksum.algorithm} ${checksum.digest}` }),
        },
      });
      if (answer.statusCode !== 204) throw await errorOf(answer, unavailable);
      await answer.body.dump();
      const expires = headerOf(answer, 'upload-expires');
      return {
        offset: Number(headerOf(answer, 'upload-offset')),
        hash: headerOf(answer, 'upload-hash'),
        expiresAt: expires === null ? null : new Date(expires).toISOString(),
      };
    } catch (fault) {
      if (stop.aborted) throw stop.reason;
      throw fault instanceof DomainError ? fault : unavailable(null, fault);
    } finally {
      stop.removeEventListener('abort', end);
      content.unpipe(body).resume();
    }
  };
}
