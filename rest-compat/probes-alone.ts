// The probes of a component that is served by itself, for orchestrators: as the gateway's
// (docs/reference/gateway.md#probes).
import type { ServerResponse } from 'node:http';
import type { Database } from '../platform/database/connect.ts';
import { writePath, type Writable } from '../platform/database/write-path.store.ts';
import { answers } from '../platform/queryable.ts';
import { inTime, life, readiness } from '../platform/readiness.ts';

/** Answers a probe; false for another path. */
export type AnswerProbe = (path: string, res: ServerResponse, isServing: boolean) => Promise<boolean>;

export const probesAlone =
  (database: Writable & Pick<Database, 'liveness'>): AnswerProbe =>
  async (path, res, isServing) => {
    if (path !== '/livez' && path !== '/readyz') return false;
    const body =
      path === '/livez'
        ? life(database.liveness.stuck)
        : readiness(
            isServing,
            ...(await Promise.all([
              inTime(() => answers(database.pool), false),
              inTime(() => writePath(database), null),
            ])),
          );
    const status = body.status === 'not ready' || body.status === 'stuck' ? 503 : 200;
    res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
    res.end(JSON.stringify(body));
    return true;
  };
