// Adds the configured webhooks' paths to the component's REST API: public, with raw bodies.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../../../platform/errors.ts';
import type { RequestContext, RestApi, Match } from '../../../platform/request-context.ts';
import { jsonBoundsFor, readBody } from '../../../platform/read-body.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { receive, type WebhookDeps, type WebhookTrigger } from './webhook.service.ts';

export interface WebhookFaceOptions {
  readonly restApi: RestApi;
  readonly prefix: string;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly pool: Pool;
  readonly log: Logger;
}

async function answer(ctx: RequestContext, trigger: WebhookTrigger, deps: WebhookDeps): Promise<void> {
  const { req, res, requestId, ip } = ctx;
  const body = await readBody(ctx);
  const header = (name: string): string | undefined => {
    const value = req.headersDistinct[name];
    return value?.length === 1 ? value[0] : undefined;
  };
  const delivery = { body, header, requestId, ip, json: jsonBoundsFor(req) };
  const text = JSON.stringify(await receive(trigger, delivery, deps));
  res
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

const onlyPost = ({ req, res }: RequestContext): void => {
  res.setHeader('allow', 'POST');
  throw new DomainError('method_not_allowed', `the method ${req.method} is not allowed here; allowed: POST`);
};

/** The same REST API for all other paths (docs/reference/workflow.md#webhook-paths). */
export function withWebhooks({ restApi, prefix, triggers, pool, log }: WebhookFaceOptions): RestApi {
  const deps: WebhookDeps = { db: pool, transact: (work) => inTransaction(pool, work), log };
  const hooks = new Map(
    triggers.flatMap((trigger) => (trigger.type === 'webhook' ? [[trigger.path, trigger] as const] : [])),
  );
  if (hooks.size === 0) return restApi;
  return {
    component: restApi.component,
    match(method, path): Match {
      const trigger = hooks.get(path);
      if (!trigger) return restApi.match(method, path);
      const template = prefix + trigger.path;
      return {
        template,
        access: 'public',
        handle: (ctx) => (method === 'POST' ? answer(ctx, trigger, deps) : onlyPost(ctx)),
      };
    },
  };
}
