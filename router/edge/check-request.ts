// Refuses requests that a proxy behind or before us could read differently, before any other stage looks at them.
import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../platform/errors.ts';
import { canonicalPath } from '../../platform/canonical-path.ts';
import type { Passage } from './passage.ts';

/** Headers of which a second one would leave open which counts. */
const SINGLE = new Map([['host', 1], ['authorization', 1], ['x-api-key', 1], ['content-type', 1], ['content-length', 1]]);
const LENGTHS = new Set([...SINGLE.keys()].map((name) => name.length));

function assertSingle({ rawHeaders }: IncomingMessage): void {
  let seen = '';
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const raw = rawHeaders[at] ?? '';
    if (!LENGTHS.has(raw.length)) continue;
    const name = raw.toLowerCase();
    if (!SINGLE.has(name)) continue;
    if (seen.includes(`${name};`)) throw badRequest(`the header ${name} must be sent once`);
    seen += `${name};`;
  }
}

/** Stage 0: request form, headers and path. @throws DomainError `invalid_request` */
export function checkRequest(passage: Passage): void {
  const { req } = passage;
  assertSingle(req);
  const isOld = req.httpVersionMajor === 1 && req.httpVersionMinor === 0;
  const { host, upgrade, expect, 'transfer-encoding': coding } = req.headers;
  if (host === undefined && !isOld) throw badRequest('the header host is required');
  if (coding !== undefined && isOld) throw badRequest('HTTP/1.0 has no Transfer-Encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw badRequest('no transfer coding but chunked is supported');
  if (upgrade !== undefined && /(?:^|[\s,])h2c(?:$|[\s,])/i.test(upgrade)) throw badRequest('upgrading to h2c is not supported');
  if (expect !== undefined && expect.toLowerCase() !== '100-continue') throw badRequest('this expectation is not supported');
  passage.path = canonicalPath(passage.path);
}
