// Which role each operation takes, as the reference has it.
import { type GraphQLSchema } from 'graphql';
import { ROLES, type Role } from '../../platform/identity.ts';
import { anyOperation } from './any-operation.ts';

type Kindred = 'Query' | 'Mutation' | 'Subscription';

export interface Line {
  /** Lowest role of the order. */
  readonly minimum: Role;
  readonly service: boolean;
  readonly fields: readonly string[];
}

/**
 * The reference's table, line by line, with the operations of each line. Written out, so that it is
 * independent of the code.
 */
const MATRIX: readonly Line[] = [
  {
    // read entities, relationships, external ids, schemas, search; triggers, runs, rules; artifact resolve
    minimum: 'viewer',
    service: true,
    fields: [
      'Query.entity',
      'Query.entities',
      'Subscription.exportEntities',
      'Query.search',
      'Query.searchPage',
      'Query.explainFilter',
      'Query.explainAggregate',
      'Query.schemas',
      'Query.schema',
      'Query.schemaReferences',
      'Query.schemaVersions',
      'Query.schemaDiff',
      'Query.referenceFaults',
      'Query.schemaRevision',
      'Query.entitiesPresent',
      'Query.aggregate',
      'Query.facets',
      'Query.basis',
      'Query.entityGrowth',
      'Query.relationships',
      'Query.findRelationships',
      'Query.traverse',
      'Query.externalIds',
      'Query.supersededExternalIds',
      'Query.entityByExternalId',
      'Query.drsObject',
      'Query.drsObjects',
      'Query.drsAccess',
      'Query.drsAuthorizations',
      'Query.drsBulkAuthorizations',
      'Query.drsAccesses',
      'Query.drsService',
      'Query.metadataService',
      'Query.triggers',
      'Query.trigger',
      'Query.runs',
      'Query.run',
      'Query.rules',
      'Query.rule',
      'Query.production',
      'Query.productions',
      'Query.storedFile',
      'Query.entityFile',
      'Query.uploadLimits',
      'Query.resolveArtifact',
      'Query.resolveAll',
      'Query.typedSchema',
      'Query.typed',
      'Query.node',
      'Query.evaluateTrigger',
      'Query.failedDeliveries',
      'Query.workflowRunCrate',
      'Query.staleness',
      'Query.stale',
      'Query.refreshPlan',
      'Query.productionDiff',
      'Query.ruleDiff',
      'Query.runDiff',
      'Subscription.runProgress',
      'Subscription.runLog',
      'Subscription.runChanges',
      'Subscription.productionProgress',
      'Subscription.productionChanges',
      'Query.workflowLinks',
      'Query.artifactLinks',
      'Query.me',
      'Mutation.endSignIn',
      'Mutation.signOutEverywhere',
      'Query.health',
    ],
  },
  {
    minimum: 'viewer',
    service: true,
    fields: [
      'Query.entityAt',
      'Query.entityDiff',
      'Query.entitiesDiff',
      'Query.entityHistory',
      'Query.entityHistoryPage',
      'Query.provenanceToken',
      'Query.why',
      'Query.metadataLinks',
      'Query.provenanceDocument',
      'Subscription.provenanceEvents',
      'Subscription.exportEntitiesDiff',
      'Subscription.typed',
    ],
  }, // read provenance
  {
    // ingest, update, relate, unrelate, external ids
    minimum: 'analyst',
    service: true,
    fields: [
      'Mutation.createEntity',
      'Mutation.typed',
      'Mutation.ingestEntity',
      'Mutation.ingestEntities',
      'Mutation.updateEntity',
      'Mutation.relate',
      'Mutation.unrelate',
      'Mutation.unrelateById',
      'Mutation.registerExternalId',
      'Mutation.supersedeExternalId',
      'Query.validateEntity',
      'Query.proposeSchema',
    ],
  },
  {
    minimum: 'project_lead',
    service: true,
    fields: [
      'Mutation.deleteEntity',
      'Mutation.setAvailability',
      'Mutation.setAvailabilityBulk',
      'Mutation.supersedeEntity',
    ],
  },
  {
    minimum: 'analyst',
    service: true,
    fields: [
      'Query.upload',
      'Query.uploads',
      'Query.uploadedFiles',
      'Mutation.createUpload',
      'Mutation.cancelUpload',
      'Mutation.attachFile',
    ],
  },
  { minimum: 'admin', service: false, fields: ['Mutation.createSchema', 'Query.checkSchema'] },
  { minimum: 'admin', service: true, fields: ['Mutation.installReferenceData'] },
  {
    minimum: 'analyst',
    service: true,
    fields: [
      'Mutation.runTrigger',
      'Mutation.submitRun',
      'Mutation.cancelRun',
      'Mutation.redeliver',
      'Mutation.produceArtifact',
      'Mutation.refresh',
      'Mutation.cancelProduction',
      'Mutation.setReusable',
    ],
  },
  { minimum: 'project_lead', service: false, fields: ['Mutation.pauseTrigger', 'Mutation.resumeTrigger'] },
  // one's own; a global rule requires an analyst, which the scope decides
  { minimum: 'viewer', service: true, fields: ['Mutation.deprecateRule'] },
  // without a scope, as requested here, it is global
  { minimum: 'analyst', service: true, fields: ['Mutation.registerRule'] },
  {
    minimum: 'admin',
    service: false,
    fields: ['Query.storeUsage', 'Mutation.evictFiles', 'Mutation.verifyFiles'],
  },
  {
    minimum: 'analyst',
    service: false,
    fields: ['Query.apiKeys', 'Mutation.createApiKey', 'Mutation.revokeApiKey', 'Mutation.rotateApiKey'],
  },
  {
    minimum: 'admin',
    service: false,
    fields: [
      'Query.syncEvents',
      'Query.syncEvent',
      'Query.latestScan',
      'Query.auditRecords',
      'Query.requestEvents',
      'Query.configuration',
      'Query.systemMetrics',
      'Query.backups',
      'Query.knownActors',
      'Query.authClients',
      'Query.signIns', // those of all
      'Mutation.resolveSyncEvent',
      'Mutation.startScan',
    ],
  },
];

const ORDER: readonly Role[] = ['viewer', 'analyst', 'project_lead', 'admin'];

export const lineOf = (coordinate: string): Line | undefined =>
  MATRIX.find(({ fields }) => fields.includes(coordinate));

const mayAsk = (role: Role, { minimum, service }: Line): boolean =>
  role === 'service' ? service : ORDER.indexOf(role) >= ORDER.indexOf(minimum);

/** Anything but a refusal of the role: the operation may well refuse its arguments. */
export const verdict = (code: unknown): 'refused' | 'admitted' =>
  String(code).toLowerCase() === 'insufficient_role' ? 'refused' : 'admitted';

export const expected = (line: Line): Record<string, string> =>
  Object.fromEntries(ROLES.map((role) => [role, mayAsk(role, line) ? 'admitted' : 'refused']));

/** The visible root fields, as `Query.entity`. */
export function coordinates(schema: GraphQLSchema): string[] {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  return roots.flatMap((root) =>
    Object.keys(root?.getFields() ?? {})
      .filter((name) => !name.startsWith('_'))
      .map((name) => `${root?.name}.${name}`),
  );
}

export function operationAt(schema: GraphQLSchema, coordinate: string) {
  const [root = '', name = ''] = coordinate.split('.') as [Kindred, string];
  const type =
    root === 'Query'
      ? schema.getQueryType()
      : root === 'Mutation'
        ? schema.getMutationType()
        : schema.getSubscriptionType();
  const field = type?.getFields()[name];
  if (field === undefined) throw new Error(`there is no ${coordinate}`);
  return anyOperation(root.toLowerCase() as 'query', field); // One of the three.
}
