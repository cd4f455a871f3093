// Responses of the gateway's own routes: JSON with its length.
import type { RequestContext } from '../../../platform/request-context.ts';

export function sendJson({ res }: RequestContext, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  res.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  });
  res.end(body);
}
