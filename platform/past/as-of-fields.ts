// Which root fields answer as of the instant of a whole operation; all others refuse it rather than tell of the present
// (docs/reference/api-conventions.md#one-instant-for-an-operation).
import { DomainError, invalid } from '../errors.ts';
import type { Caller } from '../identity.ts';

const QUERIES = [
  ...['aggregate', 'basis', 'entities', 'entity', 'entityAt', 'entityByExternalId', 'node'],
  ...['drsObject', 'drsObjects', 'drsAccess', 'drsAccesses'],
  ...['entityHistory', 'entityHistoryPage', 'explainAggregate', 'explainFilter', 'externalIds', 'facets'],
  ...[
    'findRelationships',
    'provenanceDocument',
    'relationships',
    'schema',
    'schemaDiff',
    'schemaReferences',
    'schemaVersions',
    'schemas',
    'search',
    'searchPage',
    'supersededExternalIds',
    'traverse',
    'typed',
  ],
  ...['run', 'runs', 'runDiff', 'trigger', 'triggers'],
  ...['production', 'productions', 'productionDiff', 'rule', 'rules', 'ruleDiff'],
  ...['resolveArtifact', 'resolveAll', 'stale', 'staleness'],
  ...['why', 'artifactLinks', 'metadataLinks', 'workflowLinks', '_entities'],
];
const FIELDS: ReadonlySet<string> = new Set([
  ...QUERIES.map((name) => `Query.${name}`),
  'Subscription.exportEntities',
  'Subscription.typed',
]);

/** Why the others cannot be told; of those that are in none, there is no more to say than that they are of now. */
const REASONS: readonly (readonly [reason: string, fields: readonly string[]])[] = [
  [
    'everything is judged by the schemas of now',
    [
      ...['Query.checkSchema', 'Query.proposeSchema', 'Query.referenceFaults', 'Query.schemaRevision'],
      ...['Query.typedSchema', 'Query.validateEntity'],
    ],
  ],
  [
    'which files the store had, and which of them were whose, is not kept',
    [
      ...['Entity.artifacts', 'Query.entityFile', 'Query.entitiesPresent', 'Query.storeUsage'],
      ...['Query.storedFile', 'Query.uploadedFiles', 'Query.uploads', 'Query.workflowRunCrate'],
    ],
  ],
  [
    'observations and failed deliveries are not kept as they were',
    ['Trigger.observations', 'Query.evaluateTrigger', 'Query.failedDeliveries'],
  ],
  ['it has times of its own', ['Query.entitiesDiff', 'Query.entityDiff', 'Subscription.exportEntitiesDiff']],
  ['what is made anew is planned by what there is now', ['Query.refreshPlan']],
];
const reasonOf = (what: string): string =>
  REASONS.find(([, fields]) => fields.includes(what))?.[0] ?? 'it tells of now alone';

/** @throws DomainError `validation_failed` for what is not known of the past, `invalid_request` for what changes something */
export function assertAnswersAsOf({ asOf }: Pick<Caller, 'asOf'>, coordinate: string): void {
  if (asOf === undefined || FIELDS.has(coordinate)) return;
  throw refusalAsOf(coordinate);
}

/** @param what a field, as `Query.health` @param field what the error names */
export const refusalAsOf = (what: string, field = what): DomainError =>
  what.startsWith('Mutation')
    ? new DomainError('invalid_request', 'nothing can be changed as of a time: leave out @asOf and X-As-Of')
    : invalid(`${what} cannot be read as of a time: ${reasonOf(what)}`, { field });

/** For fields below: what they show of the past is not kept. @throws DomainError `validation_failed` */
export function assertOfPresent(asOf: string | null | undefined, what: string): void {
  if (asOf !== null && asOf !== undefined) throw refusalAsOf(what);
}
