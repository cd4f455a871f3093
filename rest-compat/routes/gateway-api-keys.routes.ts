// The gateway's endpoints of API keys (docs/reference/gateway.md#api-key-endpoints).
import { badRequest } from '../../platform/errors.ts';
import { type Caller, isRole, ROLES } from '../../platform/identity.ts';
import { ownMember } from '../../platform/json-object.ts';
import { MAX_PAGE } from '../../platform/paging.ts';
import { assertAllowed, assertMayGrant, assertMember } from '../../platform/permissions.ts';
import { flag, PAGE, pageNumber, text } from '../parameters.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import { unknownMember } from '../unheeded.ts';
import { optionalBodyText, optionalObject, requiredBodyText } from './gateway-request.ts';

const KEY = `id label role project expires created_at: createdAt created_by: createdBy owner`;

const STRING = { type: 'string' };
const INSTANT = { type: ['string', 'null'], format: 'date-time' };
const KEY_PROPERTIES = {
  id: STRING,
  label: STRING,
  role: { enum: ROLES },
  project: { type: ['string', 'null'] },
  expires: INSTANT,
  created_at: { type: 'string', format: 'date-time' },
  created_by: STRING,
  owner: STRING,
};
const object = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

type ShownKey = Readonly<Record<string, unknown>>;
interface NewKey {
  readonly key: ShownKey;
  readonly secret: string;
}

/** @throws DomainError `invalid_request` */
function roleIn(body: Readonly<Record<string, unknown>>): string {
  const role = requiredBodyText(body, 'role');
  if (!isRole(role)) throw badRequest(`role must be one of ${ROLES.join(', ')}`, { field: 'role' });
  return role;
}

const GIVEN = {
  label: STRING,
  role: { enum: ROLES },
  project: STRING,
  expires: { type: 'string', format: 'date-time' },
  owner: STRING,
};

/** @throws DomainError `insufficient_role`, `project_scope_denied` */
function authorise(body: unknown, caller: Caller): void {
  const role = ownMember(body, 'role');
  const owner = ownMember(body, 'owner');
  const project = ownMember(body, 'project');
  if (isRole(role)) assertMayGrant(caller, role, 'create an API key');
  if (typeof owner === 'string' && owner !== caller.actor) assertAllowed(caller, 'api-keys:all');
  if (typeof project === 'string') assertMember(caller, project);
}

export const apiKeyRows: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/auth/api-keys',
    summary: 'Creates an API key. The secret is returned only once.',
    operation: `mutation createApiKey($input: ApiKeyInput!) { createApiKey(input: $input) { key { ${KEY} } secret } }`,
    pick: 'createApiKey',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ label: 'sequencer', role: 'service', project: 'p1', expires: '2027-01-01T00:00:00Z' }],
      required: ['label', 'role'],
      properties: GIVEN,
    },
    authorise,
    variables: ({ body: sent }) => {
      const body = objectBody(sent);
      // `projects`, mistyped, must not give a key for all of them
      const field = unknownMember(body, GIVEN);
      if (field !== undefined)
        throw badRequest(`an API key has no ${field}, but ${Object.keys(GIVEN).join(', ')}`, { field });
      return {
        input: {
          label: requiredBodyText(body, 'label'),
          role: roleIn(body),
          project: optionalBodyText(body, 'project'),
          expires: optionalBodyText(body, 'expires'),
          owner: optionalBodyText(body, 'owner'),
        },
      };
    },
    successStatus: 201,
    shape: ({ key, secret }: NewKey) => ({ ...key, secret }),
    responseSchema: object({ ...KEY_PROPERTIES, secret: STRING }),
  }),
  route({
    method: 'GET',
    path: '/auth/api-keys',
    summary: 'Lists API keys without their secrets.',
    operation: `query listApiKeys($all: Boolean, $user: String, $limit: Int!, $offset: Int!, $cursor: String) {
      apiKeys(all: $all, user: $user, limit: $limit, offset: $offset, cursor: $cursor) {
        keys { ${KEY} last_used_at: lastUsedAt revoked_at: revokedAt }
        next_cursor: nextCursor
      }
    }`,
    pick: 'apiKeys',
    query: {
      all: flag(false, 'List the keys of all users (administrators only).'),
      user: text("List the keys of this actor: one's own, or any actor's for administrators."),
      limit: pageNumber({ minimum: 1, maximum: MAX_PAGE, default: MAX_PAGE }, PAGE.limit.description),
      offset: pageNumber({ minimum: 0, default: 0 }, PAGE.offset.description),
      cursor: PAGE.cursor,
    },
    variables: ({ query }) => query,
    shape: ({ keys, next_cursor }: { keys: readonly ShownKey[]; next_cursor: string | null }) => ({
      keys: keys.map(({ revoked_at, ...key }) => ({ ...key, revoked: revoked_at !== null, revoked_at })),
      next_cursor,
    }),
    responseSchema: object({
      keys: {
        type: 'array',
        items: object({
          ...KEY_PROPERTIES,
          last_used_at: INSTANT,
          revoked: { type: 'boolean' },
          revoked_at: INSTANT,
        }),
      },
      next_cursor: { type: ['string', 'null'] },
    }),
  }),
  route({
    method: 'DELETE',
    path: '/auth/api-keys/{key_id}',
    summary: 'Revokes an API key immediately.',
    operation:
      'mutation revokeApiKey($id: ID!, $reason: String) { revokeApiKey(id: $id, reason: $reason) { id revoked_at: revokedAt } }',
    pick: 'revokeApiKey',
    body: 'optional',
    bodySchema: {
      type: 'object',
      examples: [{ reason: 'the laptop was lost' }],
      properties: { reason: STRING },
    },
    variables: ({ params, body }) => ({
      id: params.key_id,
      reason: optionalBodyText(optionalObject(body), 'reason'),
    }),
    shape: ({ id, revoked_at }: { id: string; revoked_at: string }) => ({ id, revoked: true, revoked_at }),
    responseSchema: object({
      id: STRING,
      revoked: { const: true },
      revoked_at: { type: 'string', format: 'date-time' },
    }),
  }),
  route({
    method: 'POST',
    path: '/auth/api-keys/{key_id}/rotate',
    summary: 'Replaces an API key with a new one in one atomic step.',
    operation:
      'mutation rotateApiKey($id: ID!) { rotateApiKey(id: $id) { created { key { id label role project } secret } revoked { id revoked_at: revokedAt } } }',
    pick: 'rotateApiKey',
    variables: ({ params }) => ({ id: params.key_id }),
    shape: ({ created: { key, secret }, revoked }: { created: NewKey; revoked: unknown }) => {
      const { id, ...rest } = key;
      return { new_key: { id, secret, ...rest }, revoked_key: revoked };
    },
    responseSchema: object({
      new_key: object({
        id: STRING,
        secret: STRING,
        label: STRING,
        role: { enum: ROLES },
        project: { type: ['string', 'null'] },
      }),
      revoked_key: object({ id: STRING, revoked_at: { type: 'string', format: 'date-time' } }),
    }),
  }),
];
