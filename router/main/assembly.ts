// Assembles the platform of one configuration over a store, ready to answer but not listening: a server may
// switch to another one.
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { Component, PreparedOperation } from '../../platform/component.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { networkMatcher } from '../../platform/config/networks.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { Intake } from '../../platform/intake/intake.ts';
import { keptTexts } from '../../platform/kept-texts.ts';
import { Releasers } from '../../platform/releasers.ts';
import { type ServedPart, untilNone } from '../../platform/served.ts';
import type { LocalComponent } from '../../platform/subgraph.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { BULK_BODY_LIMIT } from '../../rest-compat/rest-apis.ts';
import { standingRights } from '../standing-rights/standing-rights.ts';
import { type AuditRecords, createAuditRecords } from '../edge/audit/audit-records.service.ts';
import { listRecords, listRecordsOf } from '../edge/audit/audit-records.store.ts';
import type { AuditLog } from '../edge/audit/audit-log.ts';
import type { NoteChange } from '../edge/audit/audit-record.ts';
import { createClientAddresses } from '../edge/identity/client-address.ts';
import { createEdge } from '../edge/create-edge.ts';
import type { Edge } from '../edge/stages/edge-options.ts';
import type { Metrics } from '../edge/metrics/metrics.ts';
import { startAuditRetention } from '../edge/audit/audit-retention.ts';
import { openAuditLog } from '../edge/audit/open-audit-log.ts';
import { Circuits } from '../circuit/circuit.ts';
import type { Engine } from '../../subgraphs/workflow/engine/engine.ts';
import { createUpgrade } from '../edge/upgrade.ts';
import { createSdlFiles } from '../execution/sdl-memory.ts';
import { createSupergraph, type Supergraph } from '../execution/supergraph.ts';
import { createGraphqlEndpoint, type GraphqlEndpoint } from '../graphql/endpoint.ts';
import { createGatewayComponent } from '../gateway-schema/component.ts';
import type { GatewayDeps } from '../gateway-schema/noun.ts';
import { openOwnDescriptions, type OwnDescriptions } from '../pass-through/own-descriptions.ts';
import { openTracing } from '../../platform/tracing/open-tracing.ts';
import type { Bound } from '../../rest-compat/binding.ts';
import { createRestApis, ROOT_PERMISSIONS } from './rest-apis.ts';
import { keepMeasurements } from './keep-measurements.ts';
import { openComponents } from './open-components.ts';
import type { OAuth } from './oauth.ts';
import { openCredentials } from './open-credentials.ts';
import { missingPage } from '../../portal/missing-page.ts';
import { openEdge } from './open-edge.ts';
import { ownRoutes } from './own-routes.ts';
import { Why } from '../why/why.service.ts';
import { healthOf, metricsOf, syncOf, watchBackups } from './watch.ts';
import { whenPromoted } from './when-promoted.ts';
import { startWorkflowEngine, type WorkflowEngineOptions } from './workflow-engine.ts';
import { whySources } from './why-sources.ts';
import type { WorkerBridge } from './workers/worker-bridge.ts';

export interface AssembleOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  /** For one of several workers. */
  readonly bridge: WorkerBridge | undefined;
  /** The server's intake: bytes of WebSockets count with those of bodies. */
  readonly intake: Intake;
  /** The server's URL. */
  readonly baseUrl: () => string;
}

/** `close` closes everything except the store. */
export interface Assembly extends ServedPart {
  /** Undefined if they are off. */
  readonly metrics: Metrics | undefined;
  /** What of it does not go on, and only another process can mend. */
  readonly stuck: () => string | undefined;
  answer(req: IncomingMessage, res: ServerResponse): void;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** From now on `/readyz` reports that it is not ready. */
  drain(): void;
}

/** @throws Error, with everything closed again, where something of it cannot be opened */
export async function assemble(options: AssembleOptions): Promise<Assembly> {
  const releasers = new Releasers(options.log);
  try {
    return await assembled(options, releasers);
  } catch (error) {
    await releasers.run();
    throw error;
  }
}

async function openTraces(
  { config, database, log }: AssembleOptions,
  releasers: Releasers,
): Promise<Tracing | undefined> {
  const tracing = await openTracing(config, 'cairn', log);
  if (tracing) {
    releasers.add('traces', () => tracing.close());
    tracing.pool(database.pool);
    tracing.pool(database.pipelined);
  }
  return tracing;
}

function openDescriptions({ config, log }: AssembleOptions, releasers: Releasers): OwnDescriptions {
  const descriptions = openOwnDescriptions(
    Object.entries(config.components).flatMap(([name, { kind, url }]) =>
      kind === 'rest' && url !== undefined ? [{ name, url }] : [],
    ),
    log,
  );
  releasers.add('descriptions', () => descriptions.close());
  return descriptions;
}

function openAudit(
  { config, database, log, bridge }: AssembleOptions,
  releasers: Releasers,
): AuditLog | undefined {
  const { auditLog } = config.observability;
  const audit = openAuditLog(auditLog, database.pool, log, bridge?.audit);
  if (audit) releasers.add('audit log', () => audit.close());
  if (audit && auditLog.backend === 'postgres' && auditLog.retentionDays !== undefined)
    releasers.add(
      'audit retention',
      startAuditRetention({ db: database.pool, days: auditLog.retentionDays, audit, log }),
    );
  return audit;
}

const auditRecordsOf = ({ config, database: { pool } }: AssembleOptions): AuditRecords =>
  createAuditRecords(config.observability.auditLog, {
    list: (...asked) => listRecords(pool, ...asked),
    ofRequests: (ids) => listRecordsOf(pool, ids),
  });

function gatewayOf(
  options: AssembleOptions,
  ask: (document: string) => PreparedOperation,
  services: Omit<GatewayDeps, 'audit' | 'configuration' | 'log' | 'why'>,
): LocalComponent {
  const { config, log } = options;
  const audit = auditRecordsOf(options);
  const why = new Why({ sources: whySources(config, ask), audit });
  return createGatewayComponent({ ...services, audit, why, configuration: config, log });
}

async function openSupergraph(
  components: readonly Component[],
  { config, log }: AssembleOptions,
  releasers: Releasers,
): Promise<Supergraph> {
  const supergraph = await createSupergraph({
    components,
    permissions: ROOT_PERMISSIONS,
    log,
    memory: createSdlFiles(path.join(config.database.dataDir, 'sdl')),
    composed: keptTexts(log),
    plansAhead: config.server.mode === 'production',
    hideSuggestions: !config.graphql.introspection,
  });
  releasers.add('supergraph', async () => supergraph.close());
  return supergraph;
}

const endpointSettings = ({ config, intake, log }: AssembleOptions) => ({
  log,
  operationLimits: config.graphql.limits,
  introspection: config.graphql.introspection,
  explorer: config.graphql.explorer,
  bodyLimit: BULK_BODY_LIMIT,
  limits: config.server.limits,
  bytes: intake.bytes,
});

async function assembled(options: AssembleOptions, releasers: Releasers): Promise<Assembly> {
  const { config, log, database, bridge } = options;
  const tracing = await openTraces(options, releasers);
  const ask = (document: string): PreparedOperation => bind(document).run;
  const note: NoteChange = (requestId, by, change) => {
    audit?.note(requestId, by, change);
  };
  const { oauth, apiKeys, signIns, onEnding, checkHost, credentials } = await openCredentials(
    { ...options, note, onRefused: (code) => metrics?.authFailed(code) },
    releasers,
  );
  const isTrusted = networkMatcher(config.trustedNetworks);
  const addresses = createClientAddresses(isTrusted);
  const audit = openAudit(options, releasers);
  const publicUrl = (): string => config.server.publicUrl ?? options.baseUrl();
  const around = { config, database, log, ask, publicUrl };
  const circuits = new Circuits();
  const { parts, begin } = await openComponents(around, oauth.sign, circuits, tracing, releasers);
  const health = healthOf(options, parts, ask, audit, circuits);
  const metrics = metricsOf(options, health, circuits, () => oauth.countActive());
  const sync = syncOf(options, metrics, (document) => bind(document));
  const gateway = gatewayOf(options, ask, {
    keys: apiKeys.keys,
    sync,
    health,
    signIns,
    systemMetrics: keepMeasurements(options, metrics, releasers),
    backups: watchBackups(options, releasers),
  });
  const supergraph = await openSupergraph([...parts, gateway], options, releasers);
  releasers.add('consistency scans', () => sync.close());
  const graphql = await createGraphqlEndpoint({
    ...endpointSettings(options),
    supergraph,
    credentials,
    onEnding,
    onRefused: (code) => metrics?.refused(code),
    ...(tracing ? { beginSpan: (traceparent) => tracing.operation('/graphql', traceparent) } : {}),
  });
  releasers.add('GraphQL', () => graphql.close());

  let serving = true;
  const { sendEvents } = graphql;
  const reach = { supergraph, addresses, circuits, parts, sign: oauth.sign };
  const rest = createRestApis({ config, ...reach, sendEvents, log });
  const bind = (document: string): Bound => rest.bind(document);
  releasers.add('pass-through', () => rest.close());
  await beginWriting({ ...around, standing: standingRights(database.pool) }, begin, releasers);
  const own = ownRoutes({
    config,
    database,
    supergraph,
    bind,
    health,
    metrics: metrics && bridge ? { ...metrics, text: () => bridge.metricsText() } : metrics,
    isTrusted,
    checkHost,
    isServing: () => serving,
    descriptions: openDescriptions(options, releasers),
  });
  const routes = [...graphql.routes, ...oauth.routes, ...own];
  const given = { credentials, onEnding, addresses, checkHost, audit, metrics };
  const edge = await openEdge(
    { config, database, restApis: rest.restApis, routes, tracing, log },
    { ...given, ...refusals(oauth) },
    releasers,
  );
  return {
    ...answering(edge, graphql, tracing),
    metrics,
    stuck: () => database.liveness.stuck,
    drain() {
      serving = false;
    },
    async closeStreams() {
      rest.closeStreams();
      await graphql.closeStreams();
    },
    close: () => releasers.run(),
  };
}

async function beginWriting(
  options: WorkflowEngineOptions,
  begin: () => Promise<void>,
  releasers: Releasers,
): Promise<void> {
  let engine: Engine | undefined;
  const work = async (): Promise<void> => {
    engine ??= await startWorkflowEngine(options);
    await begin();
  };
  releasers.add('workflow engine', () => engine?.close() ?? Promise.resolve());
  const end = await whenPromoted(options.database.pool, work, options.log);
  releasers.add('wait for a promotion', end);
}

/** What refusals lead on to: a page for browsers, for clients the issuers whose tokens are accepted. */
const refusals = ({ issuer, resourceMetadata }: OAuth) => ({
  sendMissingPage: missingPage(issuer),
  resourceMetadata,
});

function answering(
  edge: Edge,
  graphql: GraphqlEndpoint,
  tracing: Tracing | undefined,
): Pick<Assembly, 'answer' | 'upgrade' | 'idle'> {
  const requests = createEdge(edge);
  const ordinary = tracing ? tracing.serve(requests.answer) : requests.answer;
  return {
    answer: ordinary,
    upgrade: createUpgrade(edge, {
      path: '/graphql',
      ordinary,
      accept: (session) => graphql.accept(session),
    }),
    idle: () => untilNone(() => requests.underWay),
  };
}
