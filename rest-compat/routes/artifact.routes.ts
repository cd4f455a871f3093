// The artifact component's REST rows (spec 3 «Endpoints», contract 4): each at the component's root and under /api/v1.
import { PAGE, text } from '../parameters.ts';
import { route, type Row } from '../route.ts';

/** The whole rule, its definition's own fields apart: those are answered as they were registered. */
const RULE = `name version rule definition description tags status scope previous_version_id: previousVersionId
  deprecation_note: deprecationNote cwl_hash: cwlHash registered_by: registeredBy registered_at: registeredAt`;

interface Rule {
  readonly definition: { readonly produces: unknown; readonly requires?: unknown; readonly execute: unknown };
  readonly [field: string]: unknown;
}

const withDefinition = ({ definition: { produces, requires, execute }, ...rule }: Rule): Record<string, unknown> =>
  ({ ...rule, produces, requires: requires ?? [], execute });

const TEXT = { type: 'string' };
const OPTIONAL_TEXT = { type: ['string', 'null'] };
const RULE_SCHEMA = {
  type: 'object',
  required: ['name', 'version', 'rule', 'produces', 'requires', 'execute', 'status', 'scope', 'cwl_hash', 'registered_by', 'registered_at'],
  properties: {
    name: TEXT, version: { type: 'integer', minimum: 1 }, rule: { ...TEXT, description: '`name@version`.' },
    produces: { type: ['object', 'array'] }, requires: { type: 'array', items: { type: 'object', properties: { ref: TEXT } } },
    execute: { type: 'object', properties: { cwl_url: TEXT, cwl_content: TEXT, cwl_hash: TEXT } },
    description: OPTIONAL_TEXT, tags: { type: 'array', items: TEXT }, status: { enum: ['active', 'superseded', 'deprecated', 'pinned'] },
    scope: TEXT, previous_version_id: OPTIONAL_TEXT, deprecation_note: OPTIONAL_TEXT, cwl_hash: TEXT, registered_by: TEXT,
    registered_at: { type: 'string', format: 'date-time' },
  },
};

const rows: readonly Row[] = [
  route({
    method: 'GET',
    path: '/rules',
    summary: 'Production rules, every version of each, by name and version.',
    operation: `query ListRules($status: RuleStatus, $name: String, $scope: String, $limit: Int!, $offset: Int!, $cursor: String) {
      rules(status: $status, name: $name, scope: $scope, limit: $limit, offset: $offset, cursor: $cursor) { rules { ${RULE} } total next_cursor: nextCursor }
    }`,
    pick: 'rules',
    query: {
      ...PAGE,
      status: text('Only versions with this status: `active`, `superseded`, `deprecated` or `pinned`.'),
      name: text('Only versions of the rule with this name.'),
      scope: text('Only rules of this scope: `global` or `user:<id>`.'),
    },
    variables: ({ query }) => ({ ...query }),
    responseSchema: {
      type: 'object', required: ['rules', 'total', 'next_cursor'],
      properties: { rules: { type: 'array', items: RULE_SCHEMA }, total: { type: 'integer' }, next_cursor: OPTIONAL_TEXT },
    },
    shape: ({ rules, ...page }: { readonly rules: readonly Rule[] }) => ({ rules: rules.map(withDefinition), ...page }),
  }),
  route({
    method: 'GET',
    path: '/rules/{name}',
    summary: 'One rule: by `name@version`, or the active version of a plain name.',
    operation: `query GetRule($name: ID!) { rule(name: $name) { ${RULE} } }`,
    pick: 'rule',
    variables: ({ params }) => ({ name: params.name }),
    responseSchema: RULE_SCHEMA,
    shape: withDefinition,
    absent: ({ name }) => `rule not found: ${name}`,
  }),
  route({
    method: 'GET',
    path: '/productions/{id}',
    summary: 'One production: how far it has come and what it made.',
    operation: `query GetProduction($id: ID!) {
      production(id: $id) {
        production_id: id status entity_type: entityType criteria rule plan entity_ids: entityIds error
        requested_by: requestedBy requested_at: requestedAt started_at: startedAt finished_at: finishedAt
      }
    }`,
    pick: 'production',
    variables: ({ params }) => ({ id: params.id }),
    absent: ({ id }) => `production not found: ${id}`,
  }),
];

export const artifactRows: readonly Row[] = rows.flatMap((row) => [row, { ...row, path: `/api/v1${row.path}` }]);
