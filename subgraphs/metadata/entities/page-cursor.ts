// Cursors: opaque, stateless, naming the order they belong to and the last entity's keys (contract 0, «Pages»).
import { invalid } from '../../../platform/errors.ts';

/** The cursor of the page after an entity whose order keys are the JSON text `keys`. */
export const writeCursor = (order: string, keys: string): string => Buffer.from(`${order}\n${keys}`, 'utf8').toString('base64url');

/** @throws DomainError `validation_failed` for anything that is no cursor of this order */
export function readCursor(order: string, keyCount: number, types: readonly string[], cursor: string): readonly string[] {
  const refuse = (): never => { throw invalid('cursor is not one that this listing has given in this order'); };
  const text = Buffer.from(cursor, 'base64url').toString('utf8');
  const cut = text.indexOf('\n');
  if (cut < 0 || text.slice(0, cut) !== order) return refuse();
  let keys: unknown;
  try {
    keys = JSON.parse(text.slice(cut + 1));
  } catch {
    return refuse();
  }
  if (!Array.isArray(keys) || keys.length !== keyCount) return refuse();
  return keys.map((key: unknown, i): string => {
    if (typeof key !== 'string' || key.includes('\u0000')) return refuse();
    if (types[i] === 'bigint' && !/^\d{1,18}$/.test(key)) return refuse();
    if (types[i] === 'jsonb' && !isJson(key)) return refuse();
    return key;
  });
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
