// Productions, rules and runs as the documents that REST answers of each; differences are told as JSON Patches of these.
import {
  type DocumentNode,
  execute,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  GraphQLSchema,
  isObjectType,
  parse,
} from 'graphql';
import { type JsonPatch, patchBetween } from './json-patch.ts';
import { oncePer } from './once-per.ts';

export interface DocumentForm {
  /** The object type of the graph. */
  readonly type: string;
  /** Its fields, by their names in the document. */
  readonly selection: string;
  /** What the document is made of them, if they are not it. */
  readonly shape?: (selected: never) => unknown;
}

export const PRODUCTION_DOCUMENT: DocumentForm = {
  type: 'Production',
  selection: `production_id: id status entity_type: entityType criteria parameters rule plan inputs runner images { image digest image_id: imageId } entity_ids: entityIds produced error
        requested_by: requestedBy requested_at: requestedAt started_at: startedAt finished_at: finishedAt waiters log`,
};

export interface SelectedRule {
  readonly definition: {
    readonly produces: unknown;
    readonly requires?: unknown;
    readonly execute: unknown;
    readonly reuse?: unknown;
  };
  readonly [field: string]: unknown;
}

/** The whole rule, with the fields of its definition as they were registered. */
export const RULE_DOCUMENT = {
  type: 'ProductionRule',
  selection: `name version rule definition description tags status scope previous_version_id: previousVersionId
  deprecation_note: deprecationNote cwl_hash: cwlHash workflow_hash: workflowHash registered_by: registeredBy registered_at: registeredAt`,
  shape: ({
    definition: { produces, requires, execute: executed, reuse = null },
    ...rule
  }: SelectedRule): Record<string, unknown> => ({
    ...rule,
    produces,
    requires: requires ?? [],
    execute: executed,
    ...(reuse === null ? {} : { reuse }),
  }),
} satisfies DocumentForm;

/** docs/reference/workflow.md#run-log-entry, and when the run was queued. */
export const RUN_ENTRY = `run_id: runId trigger_name: triggerName trigger_type: triggerType adapter status
  queued_at: queuedAt started_at: startedAt finished_at: finishedAt
  records_fetched: recordsFetched records_created: recordsCreated records_updated: recordsUpdated
  records_skipped: recordsSkipped records_failed: recordsFailed errors`;

export const RUN_DOCUMENT: DocumentForm = {
  type: 'Run',
  selection: `${RUN_ENTRY} action cause unresolved { entity_id: entityId reason }`,
};

interface Asked {
  readonly context: unknown;
  readonly schema: GraphQLResolveInfo['schema'];
}

/** The graph as it is seen from a type: what an operation selects is of one of its objects. */
const rootedAt = oncePer(
  (query: GraphQLObjectType): GraphQLSchema => new GraphQLSchema({ query, assumeValid: true }),
);
const operationOf = oncePer(({ selection }: DocumentForm): DocumentNode => parse(`{ ${selection} }`));

/** As its own root field would answer it to the caller: by the same resolvers. */
async function documentOf(object: unknown, form: DocumentForm, { context, schema }: Asked): Promise<unknown> {
  const { type, shape } = form;
  const query = schema.getType(type);
  if (!isObjectType(query)) throw new Error(`there is no object type ${type}`);
  const { data, errors } = await execute({
    schema: rootedAt(query),
    document: operationOf(form),
    rootValue: object,
    contextValue: context,
  });
  const [fault] = errors ?? [];
  if (fault !== undefined) throw fault.originalError ?? fault;
  return shape === undefined ? data : shape(data as never); // what the selection selects
}

/** The JSON Patch that makes the document of the first object that of the second, both as the caller sees them. */
export async function documentPatch(
  { before, after }: { readonly before: unknown; readonly after: unknown },
  form: DocumentForm,
  asked: Asked,
): Promise<JsonPatch> {
  const [was, is] = await Promise.all([before, after].map((one) => documentOf(one, form, asked)));
  return patchBetween(was, is);
}
