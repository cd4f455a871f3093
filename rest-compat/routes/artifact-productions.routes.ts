// REST rows of producing, and of productions (docs/reference/artifact.md#producing).
import { PRODUCTION_DOCUMENT } from '../../platform/documents.ts';
import { invalid } from '../../platform/errors.ts';
import { AS_OF, optionalChoice, PAGE, text } from '../parameters.ts';
import { objectBody, route, type RestRoute } from '../route.ts';
import { bodyOf, bodyText, optionalText, reuseOf } from './artifact-request.ts';

const TEXT = { type: 'string' };
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const OBJECT = { type: 'object' };
const RESOLVED_SCHEMA = {
  type: ['object', 'null'],
  required: ['id', 'entity_type', 'uri', 'fields', 'version', 'is_available'],
  properties: {
    id: TEXT,
    entity_type: TEXT,
    uri: OPTIONAL_TEXT,
    fields: OBJECT,
    version: { type: 'integer' },
    is_available: { type: 'boolean' },
  },
};
export const RESOLVED =
  'decision uri entity { id entity_type: entityType uri fields version is_available: isAvailable } rule plan plan_hash: planHash';

interface ProductionState {
  readonly production_id: string;
  readonly status: string;
  readonly error: unknown;
}
interface ProductionRequest {
  readonly decision: string;
  readonly production: ProductionState | null;
  readonly plan_hash: string;
  readonly [field: string]: unknown;
}

const isThere = ({ production }: ProductionRequest): boolean =>
  production === null || production.status === 'completed';

/** An entity, as `/resolve` answers it; else a production, with the URL to poll. */
function withProduction({ production, ...resolution }: ProductionRequest): Record<string, unknown> {
  if (production === null) return { ...resolution, status: 'completed', production_id: null };
  const { production_id: id, status, error } = production;
  const poll = { production_id: id, status, poll_url: `/api/v1/artifact/productions/${id}` };
  return isThere({ production, ...resolution })
    ? { ...resolution, ...poll }
    : {
        ...poll,
        error,
        decision: resolution.decision,
        rule: resolution['rule'],
        plan: resolution['plan'],
        plan_hash: resolution.plan_hash,
      };
}

/** `Prefer: wait=10` (RFC 7240), in seconds; an invalid value is ignored. */
const waitOf = (prefer: string | undefined): number =>
  Number(/(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})/i.exec(prefer ?? '')?.[1] ?? 0);

const notMade = ({ entity_id: id }: Readonly<Record<string, string>>): string =>
  `no production has made the entity ${id}`;

const ASKED = {
  entity_type: TEXT,
  criteria: { ...OBJECT, description: 'The fields that the entity must have, each with its value.' },
  parameters: {
    type: ['object', 'null'],
    description: "Values for inputs of the rule's workflow, by name.",
  },
  rule: {
    ...OPTIONAL_TEXT,
    description: '`name` or `name@version` of the only rule that may produce the entity.',
  },
  reuse: {
    enum: ['any', 'fresh', null],
    description:
      'Which stored entities may be reused, for the entity itself and for what it requires: any that match (the default), or those that are not stale.',
  },
  plan_hash: {
    ...OPTIONAL_TEXT,
    description:
      'The hash of a plan from `resolve`. If the current plan differs, nothing is produced, and the answer is 409.',
  },
};

export const productionRows: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/produce',
    summary:
      'Returns an entity that matches: reuses a stored one, or starts a production. `Prefer: wait=N` waits for the production, at most 25 s.',
    operation: `mutation ProduceArtifact($entityType: String!, $criteria: JSON!, $parameters: JSON, $rule: ID, $reuse: ArtifactReuse!, $planHash: String, $waitSeconds: Int!) {
      produceArtifact(entityType: $entityType, criteria: $criteria, parameters: $parameters, rule: $rule, reuse: $reuse, planHash: $planHash, waitSeconds: $waitSeconds) {
        ${RESOLVED} production { production_id: id status error }
      }
    }`,
    pick: 'produceArtifact',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [
        { entity_type: 'Alignment', criteria: { sample: 'sample:HG00096' }, parameters: { threads: 4 } },
      ],
      required: ['entity_type', 'criteria'],
      properties: ASKED,
    },
    variables({ body, header }) {
      const sent = bodyOf(body, ASKED);
      return {
        entityType: bodyText(sent, 'entity_type'),
        criteria: sent['criteria'] ?? {},
        parameters: sent['parameters'] ?? null,
        rule: optionalText(sent, 'rule'),
        reuse: reuseOf(sent['reuse'] ?? 'any'),
        planHash: optionalText(sent, 'plan_hash'),
        waitSeconds: waitOf(header('prefer')),
      };
    },
    status: (request: ProductionRequest) => (isThere(request) ? 200 : 202),
    successStatus: 202,
    otherStatuses: [200],
    shape: withProduction,
    responseSchema: {
      type: 'object',
      required: ['production_id', 'status', 'decision', 'plan', 'plan_hash'],
      properties: {
        production_id: OPTIONAL_TEXT,
        status: { enum: ['queued', 'running', 'completed', 'failed', 'cancelled'] },
        poll_url: TEXT,
        error: {},
        decision: { enum: ['reuse', 'fetch', 'build'] },
        uri: OPTIONAL_TEXT,
        entity: RESOLVED_SCHEMA,
        rule: OPTIONAL_TEXT,
        plan: OBJECT,
        plan_hash: TEXT,
      },
    },
  }),
  route({
    method: 'DELETE',
    path: '/productions/{id}',
    summary: 'Stops waiting for a production. The production is cancelled if no other request waits for it.',
    operation: `mutation CancelProduction($id: ID!) { cancelProduction(id: $id) { ${PRODUCTION_DOCUMENT.selection} } }`,
    pick: 'cancelProduction',
    variables: ({ params }) => ({ id: params.id }),
    absent: ({ id }) => `production not found: ${id}`,
  }),
  route({
    method: 'GET',
    path: '/crates/{entity_id}',
    summary: 'Returns how an entity was produced, as RO-Crate metadata of the Workflow Run Crate profile.',
    operation: 'query WorkflowRunCrate($entityId: ID!) { workflowRunCrate(entityId: $entityId) }',
    pick: 'workflowRunCrate',
    variables: ({ params }) => ({ entityId: params.entity_id }),
    responseSchema: {
      type: 'object',
      required: ['@context', '@graph'],
      properties: { '@context': {}, '@graph': { type: 'array', items: OBJECT } },
    },
    shape: (crate: unknown) => crate,
    absent: notMade,
  }),
  route({
    method: 'GET',
    path: '/crates/{entity_id}/zip',
    summary:
      'Returns the crate as a ZIP archive, with the stored files that the caller may read. Equal crates are equal archives.',
    operation: 'query WorkflowRunCrateArchive($entityId: ID!) { workflowRunCrate(entityId: $entityId) }',
    pick: 'workflowRunCrate',
    variables: ({ params }) => ({ entityId: params.entity_id }),
    crate: ({ entity_id: id = '' }) => id,
    absent: notMade,
  }),
  route({
    method: 'PUT',
    path: '/reuse/{entity_id}',
    summary:
      'Excludes a produced entity from reuse, or allows its reuse again. The entity itself does not change.',
    operation: `mutation SetReusable($entityId: ID!, $reusable: Boolean!, $reason: String) {
      setReusable(entityId: $entityId, reusable: $reusable, reason: $reason) { entity_id: entityId reason actor since }
    }`,
    pick: 'setReusable',
    body: 'required',
    bodySchema: {
      type: 'object',
      examples: [{ reusable: false, reason: 'the reference genome was wrong' }],
      required: ['reusable'],
      properties: {
        reusable: { type: 'boolean' },
        reason: { ...OPTIONAL_TEXT, description: 'The reason why the entity must not be reused.' },
      },
    },
    variables({ params, body }) {
      const sent = objectBody(body);
      if (typeof sent['reusable'] !== 'boolean') throw invalid('reusable must be true or false');
      return { entityId: params.entity_id, reusable: sent['reusable'], reason: optionalText(sent, 'reason') };
    },
  }),
  route({
    method: 'GET',
    path: '/productions',
    summary: 'Lists productions, newest first.',
    operation: `query ListProductions($entityType: String, $status: ProductionStatus, $rule: String, $project: String, $requestId: ID, $limit: Int!, $offset: Int!, $cursor: String, $asOf: DateTime) {
      productions(entityType: $entityType, status: $status, rule: $rule, project: $project, requestId: $requestId, limit: $limit, offset: $offset, cursor: $cursor, asOf: $asOf) {
        productions {
          production_id: id status entity_type: entityType criteria rule entity_ids: entityIds error requested_by: requestedBy
          requested_at: requestedAt started_at: startedAt finished_at: finishedAt
        }
        total next_cursor: nextCursor
      }
    }`,
    pick: 'productions',
    query: {
      ...PAGE,
      entity_type: text('Only productions of this entity type.'),
      rule: text('Only productions by this rule: `name@version`, or a plain name for all versions.'),
      request_id: text(
        'Only productions that this request asked for, those that were under way already, too.',
      ),
      status: optionalChoice(
        ['queued', 'running', 'completed', 'failed', 'cancelled'],
        'Only productions in this state.',
      ),
      project: text('Only productions whose criteria or plan name this project.'),
      ...AS_OF,
    },
    variables: ({ query: { entity_type: entityType, request_id: requestId, as_of: asOf, ...query } }) => ({
      entityType,
      requestId,
      asOf,
      ...query,
    }),
  }),
  route({
    method: 'GET',
    path: '/productions/{id}',
    summary: 'Returns one production with its status and the entities that it made.',
    operation: `query GetProduction($id: ID!, $asOf: DateTime) {
      production(id: $id, asOf: $asOf) {
        ${PRODUCTION_DOCUMENT.selection}
      }
    }`,
    pick: 'production',
    query: AS_OF,
    variables: ({ params, query }) => ({ id: params.id, asOf: query.as_of }),
    absent: ({ id }) => `production not found: ${id}`,
  }),
];
