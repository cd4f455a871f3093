// Parses a JWT only in its canonical form: other encodings of the same token are refused.
import { isUtf8 } from 'node:buffer';

/** Our tokens are far shorter; a longer one is not decoded. */
const MAX_LENGTH = 8192;
const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** The header's members: none can name, contain or disable a key. */
const MEMBERS = ['alg', 'kid', 'typ'];

export interface JwtHeader {
  readonly alg: string;
  readonly kid: string;
  readonly typ: string;
}

/**
 * The bytes of a base64url part; undefined if encoding them again gives another text: padding, stray low
 * bits.
 */
function canonicalBytes(part: string): Buffer | undefined {
  const bytes = Buffer.from(part, 'base64url');
  return bytes.toString('base64url') === part ? bytes : undefined;
}

function parse(bytes: Buffer): unknown {
  try {
    return isUtf8(bytes) ? JSON.parse(bytes.toString('utf8')) : undefined;
  } catch (fault) {
    if (fault instanceof SyntaxError) return undefined;
    throw fault;
  }
}

/**
 * The header of a token whose three parts are canonical and whose header has exactly `alg`, `kid` and `typ`;
 * else undefined.
 */
export function readHeader(token: string): JwtHeader | undefined {
  const parts = token.length <= MAX_LENGTH ? FORM.exec(token)?.slice(1) : undefined;
  const [header, ...others] = parts?.map(canonicalBytes) ?? [];
  if (header === undefined || others.includes(undefined)) return undefined;
  const value = parse(header);
  if (typeof value !== 'object' || value === null || Object.keys(value).sort().join() !== MEMBERS.join())
    return undefined;
  const { alg, kid, typ } = value as Record<string, unknown>; // The check above ensures an object.
  return typeof alg === 'string' && typeof kid === 'string' && typeof typ === 'string'
    ? { alg, kid, typ }
    : undefined;
}
