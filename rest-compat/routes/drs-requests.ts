// What requests for several DRS objects contain.
import { badRequest } from '../../platform/errors.ts';
import { objectBody } from '../route.ts';

/** @throws DomainError `invalid_request` */
export function idsIn(body: unknown): readonly string[] {
  const { bulk_object_ids: ids } = objectBody(body);
  if (!Array.isArray(ids) || ids.length === 0 || !ids.every((id) => typeof id === 'string'))
    throw badRequest('bulk_object_ids must be a list of ids');
  return ids;
}

const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string');

/** @throws DomainError `invalid_request` */
export function accessRequestsIn(body: unknown): readonly { id: string; accessIds: readonly string[] }[] {
  const { bulk_object_access_ids: asked } = objectBody(body);
  const requests = Array.isArray(asked) ? asked : [];
  if (requests.length === 0)
    throw badRequest('bulk_object_access_ids must be a list of {bulk_object_id, bulk_access_ids}');
  return requests.map((one: unknown) => {
    const { bulk_object_id: id, bulk_access_ids: accessIds } = objectBody(one);
    if (typeof id !== 'string' || !isTexts(accessIds))
      throw badRequest(
        'each of bulk_object_access_ids must have a bulk_object_id and a list bulk_access_ids',
      );
    return { id, accessIds };
  });
}

/** Who asks is known without them. */
export const PASSPORTS_SCHEMA = {
  type: 'object',
  examples: [{ passports: [] }],
  properties: { passports: { type: 'array', items: { type: 'string' } } },
} as const;

export const IDS_SCHEMA = {
  type: 'object',
  examples: [{ bulk_object_ids: ['file:1', 'file:2'] }],
  required: ['bulk_object_ids'],
  properties: { bulk_object_ids: { type: 'array', items: { type: 'string' }, maxItems: 100 } },
} as const;

export const ACCESS_REQUESTS_SCHEMA = {
  type: 'object',
  examples: [{ bulk_object_access_ids: [{ bulk_object_id: 'file:1', bulk_access_ids: ['https'] }] }],
  required: ['bulk_object_access_ids'],
  properties: {
    bulk_object_access_ids: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['bulk_object_id', 'bulk_access_ids'],
        properties: {
          bulk_object_id: { type: 'string' },
          bulk_access_ids: { type: 'array', items: { type: 'string' } },
        },
      },
    },
  },
} as const;
