// Puts the configured webhooks' paths in front of the component's REST face: public, with raw bodies.
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { DomainError } from '../../../platform/errors.ts';
import type { Exchange, Face, Match } from '../../../platform/exchange.ts';
import { readBody } from '../../../platform/read-body.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { receive, type WebhookPorts, type WebhookTrigger } from './webhook.service.ts';

export interface WebhookFaceOptions {
  readonly face: Face;
  readonly prefix: string;
  readonly triggers: readonly ConfiguredTrigger[];
  readonly pool: Pool;
  readonly log: Logger;
}

async function answer(exchange: Exchange, trigger: WebhookTrigger, ports: WebhookPorts): Promise<void> {
  const { req, res, requestId, ip } = exchange;
  const body = await readBody(exchange);
  const header = (name: string): string | undefined => {
    const value = req.headersDistinct[name];
    return value?.length === 1 ? value[0] : undefined;
  };
  const text = JSON.stringify(await receive(trigger, { body, header, requestId, ip }, ports));
  res
    .writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(text),
    })
    .end(text);
}

const onlyPost = ({ req, res }: Exchange): void => {
  res.setHeader('allow', 'POST');
  throw new DomainError('method_not_allowed', `${req.method} is not allowed here; allowed: POST`);
};

/** The same face where no webhook's path is asked for (spec 3 «Endpoints», contract 3). */
export function withWebhooks({ face, prefix, triggers, pool, log }: WebhookFaceOptions): Face {
  const ports: WebhookPorts = { db: pool, transact: (work) => inTransaction(pool, work), log };
  const hooks = new Map(
    triggers.flatMap((trigger) => (trigger.type === 'webhook' ? [[trigger.path, trigger] as const] : [])),
  );
  if (hooks.size === 0) return face;
  return {
    component: face.component,
    match(method, path): Match {
      const trigger = hooks.get(path);
      if (!trigger) return face.match(method, path);
      const template = prefix + trigger.path;
      return {
        template,
        access: 'public',
        handle: (exchange) => (method === 'POST' ? answer(exchange, trigger, ports) : onlyPost(exchange)),
      };
    },
  };
}
