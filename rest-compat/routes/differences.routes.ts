// What differs between two productions, rules, runs or schemas, for clients over HTTP.
import { requiredText, text } from '../parameters.ts';
import { route, type RestRoute } from '../route.ts';

const PARTS = 'differences { path kind before after } is_complete: isComplete json_patch: jsonPatch';
const PRODUCTION = 'production_id: id status rule requested_at: requestedAt';
const RULE = 'rule status registered_by: registeredBy registered_at: registeredAt';
const RUN = 'run_id: runId status trigger_name: triggerName queued_at: queuedAt';

export const artifactDiffRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/productions/{id}/diff',
    summary: 'Compares two productions: what they were given, how they were made, and what came of them.',
    pick: 'productionDiff',
    operation: `query ProductionDiff($id: ID!, $to: ID!) { productionDiff(id: $id, toId: $to) {
      before { ${PRODUCTION} } after { ${PRODUCTION} } ${PARTS} } }`,
    query: { to: requiredText('The id of the second production.') },
    variables: ({ params, query }) => ({ id: params.id, to: query.to }),
    absent: () => 'there are not both productions',
  }),
  route({
    method: 'GET',
    path: '/rules/{name}/diff',
    summary:
      'Compares two versions of a rule, or two rules: what was registered, and what their workflows mean.',
    pick: 'ruleDiff',
    operation: `query RuleDiff($name: ID!, $to: ID!) { ruleDiff(name: $name, toName: $to) {
      before { ${RULE} } after { ${RULE} } ${PARTS} } }`,
    query: { to: requiredText('The second: `name@version`, or a plain name for its active version.') },
    variables: ({ params, query }) => ({ name: params.name, to: query.to }),
    absent: () => 'there are not both rules',
  }),
];

export const runDiffRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/runs/{run_id}/diff',
    summary: 'Compares two runs: what was to be done, why, and what came of it.',
    pick: 'runDiff',
    operation: `query RunDiff($id: ID!, $to: ID!) { runDiff(runId: $id, toRunId: $to) {
      before { ${RUN} } after { ${RUN} } ${PARTS} } }`,
    query: { to: requiredText('The id of the second run.') },
    variables: ({ params, query }) => ({ id: params.run_id, to: query.to }),
    absent: () => 'there are not both runs',
  }),
];

export const schemaDiffRows: readonly RestRoute[] = [
  route({
    method: 'GET',
    path: '/schemas/{name}/diff',
    summary: 'Compares two versions of a schema, or two schemas.',
    pick: 'schemaDiff',
    operation: `query SchemaDiff($name: String!, $version: String, $toName: String, $toVersion: String) {
      schemaDiff(name: $name, version: $version, toName: $toName, toVersion: $toVersion) { before after ${PARTS} } }`,
    query: {
      from: text('The version of the first one; the current one by default.'),
      to: text('The version of the second one; the current one by default.'),
      to_name: text('The name of the second one; the same by default.'),
    },
    variables: ({ params, query }) => ({
      name: params.name,
      version: query.from,
      toName: query.to_name,
      toVersion: query.to,
    }),
    absent: () => 'there are not both schemas in these versions',
  }),
];
