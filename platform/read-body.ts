// Reads a request's body, checks its size and media type, and parses it as strict JSON
// (docs/reference/api-conventions.md#bodies).
import type { IncomingMessage } from 'node:http';
import { DomainError, badRequest } from './errors.ts';
import type { RequestContext } from './request-context.ts';
import { type Account, payerOf } from './intake/byte-budget.ts';
import { jsonLimitsFor, watchBody } from './intake/intake.ts';
import type { JsonValue } from './json.ts';
import { parseJsonBody } from './json-in-turns.ts';
import type { JsonBounds } from './json-shape.ts';
import { Turn } from './turns.ts';

/**
 * The parts of the request context that are needed to read the body and to account for its bytes. Without an
 * authenticated caller, the bytes count for `ip`; without `ip`, for the peer's address.
 */
export type BodySource = Pick<RequestContext, 'req' | 'bodyLimit'> &
  Partial<Pick<RequestContext, 'res' | 'ip' | 'caller'>>;

/** Whether the headers announce a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Bytes from which on a body may take so long to work with that the work takes turns. */
const LARGE_BODY = 1024 * 1024;
const large = new WeakSet<IncomingMessage>();

/** Whether the body that was read is a large one: its answer may be as large. */
export const hadLargeBody = (req: IncomingMessage): boolean => large.has(req);

const tooLarge = (limit: number): DomainError =>
  new DomainError('payload_too_large', `the body is larger than ${limit} bytes`, { limit });

/** Chunks below this size are copied: each buffer has a memory overhead, and keeps what it was read with. */
const SMALL_PIECE = 1024;
const BLOCK = 16 * 1024;
/** From so many small chunks on, a body costs more than its bytes. */
const MANY_PIECES = 2048;

const COPIED_AT_ONCE = 256 * 1024;

/** Collects the chunks of a body. */
class Pieces {
  readonly #whole: Buffer[] = [];
  #block: Buffer | undefined;
  #filled = 0;

  add(piece: Buffer): void {
    // most bodies are one chunk, which needs no copy
    if (piece.length >= SMALL_PIECE || (this.#whole.length === 0 && this.#block === undefined)) {
      this.#endBlock();
      this.#whole.push(piece);
      return;
    }
    if (this.#block === undefined || this.#filled + piece.length > BLOCK) {
      this.#endBlock();
      this.#block = Buffer.allocUnsafeSlow(BLOCK);
    }
    piece.copy(this.#block, this.#filled);
    this.#filled += piece.length;
  }

  /** All of them as one, of a large body in turns with others: copying ten megabytes takes as long as parsing a few. Call it once. */
  async all(): Promise<Buffer> {
    this.#endBlock();
    const [only] = this.#whole;
    if (this.#whole.length === 1 && only) return only;
    const length = this.#whole.reduce((sum, piece) => sum + piece.length, 0);
    if (length <= COPIED_AT_ONCE) return Buffer.concat(this.#whole);
    const turn = new Turn();
    await turn.next();
    const all = Buffer.allocUnsafeSlow(length);
    let filled = 0;
    for (const piece of this.#whole.splice(0)) {
      if (turn.isOver) await turn.next();
      filled += piece.copy(all, filled);
    }
    return all;
  }

  #endBlock(): void {
    if (this.#block !== undefined && this.#filled > 0)
      this.#whole.push(this.#block.subarray(0, this.#filled));
    this.#block = undefined;
    this.#filled = 0;
  }
}

/** The accounts of bodies that are being worked with. */
const accounts = new WeakMap<IncomingMessage, Account>();

/** What the JSON of a request's body may be; what its value takes counts as the body's bytes do. */
export const jsonBoundsFor = (req: IncomingMessage): JsonBounds => ({
  limits: jsonLimitsFor(req),
  hold: (bytes) => accounts.get(req)?.take(bytes),
});

/**
 * Opens the account that a body's bytes are charged to. It is closed when the response is complete, or at the
 * latest when the connection ends.
 */
function accountOf(
  { req, res, ip, caller }: BodySource,
  refuse: (refusal: DomainError) => void,
): Account | undefined {
  const budget = watchBody(req, false, refuse);
  if (budget === undefined) return undefined;
  const account = budget.open(
    payerOf(
      caller !== undefined && caller.roles.length > 0 ? caller.actor : undefined,
      ip ?? req.socket.remoteAddress,
    ),
  );
  accounts.set(req, account);
  (res ?? req).once('close', () => {
    accounts.delete(req);
    account.close();
  });
  return account;
}

/**
 * Reads the whole body. Where it is too large, the rest is received and discarded, so that the client can
 * read the response.
 * @throws DomainError `payload_too_large` above `bodyLimit` bytes, or what one caller may have under way,
 * `rate_limit_exceeded` and `component_unavailable` where too many bytes are held already, `request_timeout` where
 * the body does not arrive in time
 */
export function readBody(source: BodySource): Promise<Buffer> {
  const { req, res, bodyLimit } = source;
  if (!hasBody(req)) return Promise.resolve(Buffer.alloc(0));
  const declared = Number(req.headers['content-length'] ?? 0);
  if (declared > bodyLimit) {
    req.resume();
    return Promise.reject(tooLarge(bodyLimit));
  }
  return new Promise((resolve, reject) => {
    let pieces: Pieces | undefined = new Pieces();
    let length = 0;
    let small = 0;
    const refuse = (refusal: DomainError): void => {
      pieces = undefined;
      account?.close();
      reject(refusal);
    };
    const account = accountOf(source, refuse);
    const take = (piece: Buffer): void => {
      account?.take(piece.length);
      length += piece.length;
      if (length > bodyLimit) throw tooLarge(bodyLimit);
      pieces?.add(piece);
    };
    const trickle = (): void => {
      try {
        account?.trickle();
      } catch (refusal) {
        // the rest of it would cost as much as if it were read
        if (res === undefined) req.destroy();
        else res.once('finish', () => req.destroy());
        throw refusal;
      }
    };
    req.on('data', (piece: Buffer) => {
      if (pieces === undefined) return;
      try {
        if (piece.length < SMALL_PIECE && ++small === MANY_PIECES) trickle();
        take(piece);
      } catch (refusal) {
        refuse(refusal as DomainError); // the account and the limit throw nothing else
      }
    });
    req.on('end', () => {
      if (length > LARGE_BODY) large.add(req);
      if (pieces !== undefined) pieces.all().then(resolve, reject);
    });
    req.on('error', () => {
      refuse(badRequest('the body ended prematurely'));
    });
    req.on('close', () => {
      if (!req.complete) refuse(badRequest('the body ended prematurely'));
    });
  });
}

/** The media type without parameters, in lower case; undefined where the request has no `Content-Type`. */
export function mediaType({ req }: Pick<BodySource, 'req'>): string | undefined {
  const header = req.headers['content-type'];
  if (header === undefined || header === 'application/json') return header;
  const end = header.indexOf(';');
  return (end < 0 ? header : header.slice(0, end)).trim().toLowerCase();
}

const isJson = (type: string): boolean =>
  type === 'application/json' || /^application\/[\w.!#$&^-]+\+json$/.test(type);

/** @throws DomainError `unsupported_media_type` for a body that is compressed or not in UTF-8. */
export function assertPlainEncoding({ req }: Pick<BodySource, 'req'>): void {
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new DomainError('unsupported_media_type', `content encoding ${encoding} is not supported`);
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(req.headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !/^(utf-?8|us-ascii)$/i.test(charset))
    throw new DomainError('unsupported_media_type', `charset ${charset} is not supported; send UTF-8`);
}

/**
 * Reads the body as JSON; undefined where it is empty and not required.
 * @throws DomainError `unsupported_media_type`, `payload_too_large`, `invalid_request`, `validation_failed`
 */
export async function readJson(
  ctx: BodySource,
  { required }: { readonly required: boolean },
): Promise<JsonValue | undefined> {
  const type = mediaType(ctx);
  if (type === undefined || !isJson(type)) {
    if (type !== undefined && hasBody(ctx.req))
      throw new DomainError('unsupported_media_type', `the body must be application/json, not ${type}`);
  }
  assertPlainEncoding(ctx);
  const body = await readBody(ctx);
  if (body.length > 0) return await parseJsonBody(body, jsonBoundsFor(ctx.req));
  if (required) throw badRequest('a JSON body is required');
  return undefined;
}
