// Reads a request's body: within its limit, of the right media type, as strict JSON (contract 0).
import type { IncomingMessage } from 'node:http';
import { DomainError, badRequest } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { type JsonValue, parseJson } from './json.ts';

/** What of an exchange the body is read from. */
export type BodySource = Pick<Exchange, 'req' | 'bodyLimit'>;

/** Whether a body may follow the head, by what the head says. */
export const hasBody = ({ headers }: IncomingMessage): boolean => headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const tooLarge = (limit: number): DomainError => new DomainError('payload_too_large', `the body is larger than ${limit} bytes`, { limit });

/**
 * The whole body. @throws DomainError `payload_too_large` at `bodyLimit` bytes; what is sent beyond is thrown away unread,
 * so that the client gets to read the answer.
 */
export function readBody({ req, bodyLimit }: BodySource): Promise<Buffer> {
  if (!hasBody(req)) return Promise.resolve(Buffer.alloc(0));
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > bodyLimit) {
    req.resume();
    return Promise.reject(tooLarge(bodyLimit));
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let refused = false;
    req.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= bodyLimit) chunks.push(chunk);
      else if (!refused) {
        refused = true;
        chunks.length = 0;
        reject(tooLarge(bodyLimit));
      }
    });
    req.on('end', () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only ? only : Buffer.concat(chunks));
    });
    req.on('error', () => reject(badRequest('the body ended early')));
    req.on('close', () => { if (!req.complete) reject(badRequest('the body ended early')); });
  });
}

/** The media type without its parameters, in lower case; undefined where the request names none. */
export function mediaType({ req }: Pick<BodySource, 'req'>): string | undefined {
  const header = req.headers['content-type'];
  if (header === undefined || header === 'application/json') return header;
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

const isJson = (type: string): boolean => type === 'application/json' || /^application\/[\w.!#$&^-]+\+json$/.test(type);

/** @throws DomainError `unsupported_media_type` for a body that is compressed or not in UTF-8. */
export function assertPlainEncoding({ req }: Pick<BodySource, 'req'>): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new DomainError('unsupported_media_type', `content encoding ${encoding} is not supported`);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset)) throw new DomainError('unsupported_media_type', `charset ${charset} is not supported; send UTF-8`);
}

/**
 * The body as JSON; undefined where it is empty and not required.
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `validation_failed`
 */
export async function readJson(exchange: BodySource, { required }: { readonly required: boolean }): Promise<JsonValue | undefined> {
  const type = mediaType(exchange);
  if (type === undefined || !isJson(type)) {
    if (type !== undefined && hasBody(exchange.req)) throw new DomainError('unsupported_media_type', `the body must be application/json, not ${type}`);
  }
  assertPlainEncoding(exchange);
  const body = await readBody(exchange);
  if (body.length > 0) return parseJson(body);
  if (required) throw badRequest('a JSON body is required');
  return undefined;
}
