// Takes a JWT apart only where it is written in the one way we write it: other spellings of the same token
// are refused.
import { isUtf8 } from 'node:buffer';

/** A token of ours is far shorter; a longer one is not worth decoding. */
const MAX_LENGTH = 8192;
const FORM = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
/** The header's members: nothing that could name, hold or switch off a key. */
const MEMBERS = ['alg', 'kid', 'typ'];

export interface JwtHeader {
  readonly alg: string;
  readonly kid: string;
  readonly typ: string;
}

/**
 * The bytes of a base64url part; undefined where encoding them again does not give the same text: padding,
 * stray low bits.
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
  const { alg, kid, typ } = value as Record<string, unknown>; // an object, as just seen
  return typeof alg === 'string' && typeof kid === 'string' && typeof typ === 'string'
    ? { alg, kid, typ }
    : undefined;
}
