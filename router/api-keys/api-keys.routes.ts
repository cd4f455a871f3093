// The four endpoints of spec 1 «auth/api-keys».
import { MAX_PAGE } from '../../platform/paging.ts';
import { flag, integer, text } from '../edge/query-parameters.ts';
import { readObject, requiredText, textField } from '../edge/read-object.ts';
import type { Route } from '../edge/routes.ts';
import { sendJson } from '../edge/send-json.ts';
import type { ApiKeys } from './api-keys.service.ts';
import type { ApiKey } from './api-keys.store.ts';

const KEYS = '/api/v1/gateway/auth/api-keys';

const shown = (key: ApiKey): Record<string, unknown> => ({
  id: key.id,
  label: key.label,
  role: key.role,
  project: key.project,
  expires: key.expires,
  created_at: key.createdAt,
  created_by: key.createdBy,
  owner: key.owner,
});

export const apiKeyRoutes = (keys: ApiKeys): readonly Route[] => [
  {
    method: 'POST',
    path: KEYS,
    access: 'api-keys:own',
    async handle(exchange) {
      const body = await readObject(exchange, { required: true });
      const { secret, ...key } = await keys.create(
        {
          label: requiredText(body, 'label'),
          role: requiredText(body, 'role'),
          project: textField(body, 'project'),
          expires: textField(body, 'expires'),
          owner: textField(body, 'owner'),
        },
        exchange.caller,
      );
      sendJson(exchange, 201, { ...shown(key), secret });
    },
  },
  {
    method: 'GET',
    path: KEYS,
    access: 'api-keys:own',
    async handle(exchange) {
      const query = new URLSearchParams(exchange.search);
      const { items, nextCursor } = await keys.list(
        {
          all: flag(query, 'all'),
          user: text(query, 'user') ?? undefined,
          limit: integer(query, 'limit', MAX_PAGE),
          offset: integer(query, 'offset', 0),
          cursor: text(query, 'cursor'),
        },
        exchange.caller,
      );
      const listed = items.map((key) => ({
        ...shown(key),
        last_used_at: key.lastUsedAt,
        revoked: key.revokedAt !== null,
        revoked_at: key.revokedAt,
      }));
      sendJson(exchange, 200, { keys: listed, next_cursor: nextCursor });
    },
  },
  {
    method: 'DELETE',
    path: `${KEYS}/{key_id}`,
    access: 'api-keys:own',
    async handle(exchange, { key_id: id = '' }) {
      const body = await readObject(exchange, { required: false });
      const { revokedAt } = await keys.revoke(id, textField(body, 'reason'), exchange.caller);
      sendJson(exchange, 200, { id, revoked: true, revoked_at: revokedAt });
    },
  },
  {
    method: 'POST',
    path: `${KEYS}/{key_id}/rotate`,
    access: 'api-keys:own',
    async handle(exchange, { key_id: id = '' }) {
      const { created, revoked } = await keys.rotate(id, exchange.caller);
      const { secret, label, role, project } = created;
      sendJson(exchange, 200, {
        new_key: { id: created.id, secret, label, role, project },
        revoked_key: { id: revoked.id, revoked_at: revoked.revokedAt },
      });
    },
  },
];
