// What is asked of workflow and artifact, of the present and of the past.
const RUN = `runId triggerName triggerType adapter action cause causedBy status queuedAt startedAt finishedAt attempt recordsFetched
  recordsCreated recordsUpdated recordsSkipped recordsFailed errors unresolved { entityId reason } produced actor project entities { id }`;
const TRIGGER = `name type definition status problem pause { at actor reason } mayRun mayPause lastRun lastResult lastError`;
const RULE = `name version rule definition status scope description tags previousVersionId deprecationNote cwlHash workflowHash registeredBy
  registeredAt isStatic`;
const PRODUCTION = `id entityType criteria rule productionRule { rule status deprecationNote } status parameters inputs plan entityIds produced runner log
  waiters error requestedBy requestedAt startedAt finishedAt`;

export interface Read {
  readonly component: 'workflow' | 'artifact';
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** It shows triggers: which there are now the configuration says, not what is stored. */
  readonly isConfigured: boolean;
}

const RUNS = `query($trigger: ID, $status: RunStatus, $limit: Int! = 100, $offset: Int! = 0, $asOf: DateTime) {
  runs(trigger: $trigger, status: $status, limit: $limit, offset: $offset, asOf: $asOf) { runs { ${RUN} } total nextCursor } }`;
const RUNS_OF_TRIGGERS = RUNS.replace('triggerName', `trigger { ${TRIGGER} }`);
const ONE_RUN = `query($id: ID!, $asOf: DateTime) { run(runId: $id, asOf: $asOf) { ${RUN} } }`;
const TRIGGERS = `query($asOf: DateTime) { triggers(asOf: $asOf) { ${TRIGGER} runs(limit: 3, status: success) { total runs { runId status } } } }`;
const ONE_TRIGGER = `query($name: ID!, $asOf: DateTime) { trigger(name: $name, asOf: $asOf) { ${TRIGGER} runs { total runs { ${RUN} } } } }`;
const RULES = `query($status: RuleStatus, $name: String, $limit: Int! = 100, $asOf: DateTime) {
  rules(status: $status, name: $name, limit: $limit, asOf: $asOf) { rules { ${RULE} } total nextCursor } }`;
const ONE_RULE = `query($name: ID!, $asOf: DateTime) { rule(name: $name, asOf: $asOf) { ${RULE} } }`;
const PRODUCTIONS = `query($entityType: String, $status: ProductionStatus, $rule: String, $limit: Int! = 100, $asOf: DateTime) {
  productions(entityType: $entityType, status: $status, rule: $rule, limit: $limit, asOf: $asOf) { productions { ${PRODUCTION} } total nextCursor } }`;
const ONE_PRODUCTION = `query($id: ID!, $asOf: DateTime) { production(id: $id, asOf: $asOf) { ${PRODUCTION} } }`;

const of = (component: Read['component'], document: string, ...all: Record<string, unknown>[]): Read[] =>
  all.map((variables) => ({
    component,
    document,
    variables,
    isConfigured: document.includes('pause {'),
  }));

/** @param ids of runs and productions */
export const readsOf = (ids: {
  readonly runs: readonly string[];
  readonly productions: readonly string[];
}) => [
  ...of(
    'workflow',
    RUNS,
    {},
    { limit: 2, offset: 1 },
    { trigger: 'nightly' },
    ...['queued', 'running', 'success', 'failed', 'partial_success', 'skipped'].map((status) => ({ status })),
    { trigger: 'by-hand', status: 'failed', limit: 1 },
  ),
  ...of('workflow', RUNS_OF_TRIGGERS, { limit: 9 }),
  ...of('workflow', ONE_RUN, ...ids.runs.map((id) => ({ id }))),
  ...of('workflow', TRIGGERS, {}),
  ...of('workflow', ONE_TRIGGER, ...['nightly', 'by-hand', 'from-lab', 'none'].map((name) => ({ name }))),
  ...of(
    'artifact',
    RULES,
    {},
    { limit: 1 },
    { name: 'stats' },
    ...['active', 'superseded', 'deprecated'].map((status) => ({ status })),
  ),
  ...of('artifact', ONE_RULE, ...['stats', 'stats@1', 'stats@2', 'align', 'own'].map((name) => ({ name }))),
  ...of(
    'artifact',
    PRODUCTIONS,
    {},
    { limit: 2 },
    { rule: 'stats' },
    { entityType: 'Report' },
    ...['queued', 'running', 'completed', 'failed', 'cancelled'].map((status) => ({ status })),
  ),
  ...of('artifact', ONE_PRODUCTION, ...ids.productions.map((id) => ({ id }))),
];

/** Fields of an entity that come from workflow and artifact: asked as the router does, as of the whole operation. */
export const readsOfEntities = (entities: readonly string[]): Read[] => [
  ...of(
    'workflow',
    `query($ids: [_Any!]!) { _entities(representations: $ids) { ... on Entity { id runs(limit: 2) { ${RUN} } } } }`,
    {
      ids: entities.map((id) => ({ __typename: 'Entity', id })),
    },
  ),
  ...of(
    'artifact',
    `query($ids: [_Any!]!) { _entities(representations: $ids) { ... on Entity { id producedBy { ${PRODUCTION} } reuseRefusal { reason actor since } } } }`,
    { ids: entities.map((id) => ({ __typename: 'Entity', id })) },
  ),
];
