// REST rows of staleness (docs/reference/artifact.md#staleness).
import { invalid } from '../../platform/errors.ts';
import { AS_OF, instant, PAGE, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';
import { bodyOf, optionalText } from './artifact-request.ts';

const STALENESS = `is_stale: isStale is_complete: isComplete
  reasons { kind message via production_id: productionId entity_id: entityId field input from_version: fromVersion to_version: toVersion from_rule: fromRule to_rule: toRule image from_digest: fromDigest to_digest: toDigest }
  not_known: notKnown`;
const { limit, cursor } = PAGE;

const PLAN = `plan_hash: planHash is_complete: isComplete
  steps { entity_id: entityId entity_type: entityType parameters staleness { ${STALENESS} } plan error }`;
const textsOf = (sent: unknown): unknown => {
  if (sent === undefined || sent === null) return null;
  if (Array.isArray(sent) && sent.every((id) => typeof id === 'string')) return sent;
  throw invalid('entity_ids must be a list of ids');
};

const REFRESHED = {
  entity_ids: {
    type: ['array', 'null'],
    items: { type: 'string' },
    description: 'Only these entities.',
  },
  entity_type: {
    type: ['string', 'null'],
    description: 'Only results of this entity type and its subtypes.',
  },
  filter: {
    type: ['string', 'null'],
    description: 'Only results for which this CEL expression is true.',
  },
  plan_hash: {
    type: ['string', 'null'],
    description:
      'The hash of a plan from `GET /refresh`. If the current plan differs, nothing is produced, and the answer is 409.',
  },
};

export const stalenessRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/staleness',
    summary: 'Lists the stale results, in the order in which they became stale, with what has changed.',
    operation: `query StaleResults($entityType: String, $rule: ID, $filter: String, $since: DateTime, $limit: Int!, $cursor: String, $asOf: DateTime) {
      stale(entityType: $entityType, rule: $rule, filter: $filter, since: $since, limit: $limit, cursor: $cursor, asOf: $asOf) {
        items { entity_id: entityId entity_type: entityType production_id: productionId rule since staleness { ${STALENESS} } }
        next_cursor: nextCursor is_complete: isComplete up_to: upTo
      }
    }`,
    pick: 'stale',
    query: {
      limit,
      cursor,
      entity_type: text('Only results of this entity type and its subtypes.'),
      rule: text(
        'Only results that this rule has made, as `name@version`, or as a name for all its versions.',
      ),
      filter: text('Only results for which this CEL expression is true.'),
      since: instant('Only results that became stale after this time.'),
      ...AS_OF,
    },
    variables: ({ query: { entity_type: entityType, as_of: asOf, ...query } }) => ({
      entityType,
      asOf,
      ...query,
    }),
  }),
  route({
    method: 'GET',
    path: '/staleness/{entity_id}',
    summary: 'Tells whether a produced entity is still what would be produced, and what has changed since.',
    operation: `query EntityStaleness($entityId: ID!, $asOf: DateTime) { staleness(entityId: $entityId, asOf: $asOf) { ${STALENESS} } }`,
    pick: 'staleness',
    query: AS_OF,
    variables: ({ params, query }) => ({ entityId: params.entity_id, asOf: query.as_of }),
    absent: ({ entity_id: id = '' }) => `no production has made the entity ${id}`,
  }),
  route({
    method: 'GET',
    path: '/refresh',
    summary: 'Plans how stale results are made anew, with all stale results that they were made of.',
    operation: `query RefreshPlan($entityIds: [ID!], $entityType: String, $filter: String) {
      refreshPlan(entityIds: $entityIds, entityType: $entityType, filter: $filter) { ${PLAN} }
    }`,
    pick: 'refreshPlan',
    query: {
      entity_id: text('Only this entity.'),
      entity_type: text('Only results of this entity type and its subtypes.'),
      filter: text('Only results for which this CEL expression is true.'),
    },
    variables: ({ query: { entity_id: id, entity_type: entityType, filter } }) => ({
      entityIds: id === null ? null : [id],
      entityType,
      filter,
    }),
  }),
  route({
    method: 'POST',
    path: '/refresh',
    summary: 'Makes stale results anew, with all stale results that they were made of, each once.',
    operation: `mutation Refresh($entityIds: [ID!], $entityType: String, $filter: String, $planHash: String) {
      refresh(entityIds: $entityIds, entityType: $entityType, filter: $filter, planHash: $planHash) {
        request_id: requestId plan { ${PLAN} } productions { production_id: id status entity_type: entityType criteria }
      }
    }`,
    pick: 'refresh',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ entity_type: 'Alignment', plan_hash: null }],
      properties: REFRESHED,
    },
    variables({ body }) {
      const sent = bodyOf(body, REFRESHED);
      return {
        entityIds: textsOf(sent['entity_ids']),
        entityType: optionalText(sent, 'entity_type'),
        filter: optionalText(sent, 'filter'),
        planHash: optionalText(sent, 'plan_hash'),
      };
    },
    status: () => 202,
    successStatus: 202,
  }),
];
