// Serves one component on its own (docs/reference/gateway.md#split-mode): its GraphQL for the router, its
// REST API at its own root, its health.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Logger } from 'pino';
import { DEFAULT_OPERATION_LIMITS, type OperationLimits } from '../platform/budget/limits.ts';
import type { CheckHost } from '../platform/allowed-hosts.ts';
import type { ComponentExtensions } from '../platform/component.ts';
import { ClientGone, type DomainError, masked } from '../platform/errors.ts';
import { AcceptFrames } from '../platform/operation-frames/accept-frames.ts';
import { operationsOf } from '../platform/subgraph-operations.ts';
import type { Answer, RequestContext, RestApi } from '../platform/request-context.ts';
import type { Caller } from '../platform/identity.ts';
import { refusalAsOf } from '../platform/past/as-of-fields.ts';
import { AS_OF_FIELD, AS_OF_HEADER } from '../platform/past/one-instant.ts';
import { assertAllowed, type Permission } from '../platform/permissions.ts';
import { canonicalPath } from '../platform/canonical-path.ts';
import type { CallerReader } from '../platform/read-caller.ts';
import { type ServedPart, untilNone } from '../platform/served.ts';
import { createSubgraphHandler } from '../platform/serve-subgraph.ts';
import type { LocalComponent } from '../platform/subgraph.ts';
import type { Tracing } from '../platform/tracing/tracing.ts';
import { binding } from './binding.ts';
import { permissionOf } from './document-permission.ts';
import { documented } from './documented-alone.ts';
import { BULK_BODY_LIMIT, type RestApiKind } from './rest-apis.ts';
import { createRestApi } from './handler.ts';
import { type UpgradeAlone, upgradingAlone } from './upgrade-alone.ts';
import type { AnswerProbe } from './probes-alone.ts';
import { type AnswerMetrics, METRICS_PATH } from './metrics-alone.ts';

export interface AloneOptions {
  readonly component: LocalComponent;
  readonly restApi: RestApiKind;
  readonly permissions: Readonly<Record<string, Permission>>;
  readonly bodyLimit: number;
  /** The limits of each operation. */
  readonly limits?: OperationLimits | undefined;
  /** Whether the OpenAPI description and its page are served (`server.docs`). */
  readonly docs: boolean;
  /** How the router's identity is verified. */
  readonly reader: CallerReader;
  /**
   * Checks the host if only this machine reaches the component, which then trusts its callers: a browser on
   * it may run any site's page.
   * @throws DomainError `misdirected_request`
   */
  readonly checkHost?: CheckHost | undefined;
  /**
   * The caller: the identity from the router, or the component's handling of requests without one.
   * @throws DomainError `missing_token`, `invalid_token`
   */
  readonly identify: (
    req: IncomingMessage,
    requestId: string,
    signal: AbortSignal,
  ) => Caller | Promise<Caller>;
  /** Adds paths that are not rows before the component's own. */
  readonly wrap?: ((restApi: RestApi) => RestApi) | undefined;
  /** Undefined where they are off. */
  readonly metrics?: AnswerMetrics | undefined;
  readonly probes?: AnswerProbe | undefined;
  readonly log: Logger;
  readonly tracing?: Tracing | undefined;
}

/** A component ready to answer, but not listening. */
export interface Alone extends ServedPart {
  answer(req: IncomingMessage, res: ServerResponse): void;
  /** Takes a request for an upgrade, with its socket. */
  readonly upgrade: UpgradeAlone;
  /** Begins no further connection that would last. */
  retire(): void;
  /** Ends connections that have not ended by themselves. */
  cutOff(): void;
}

const NOBODY = { actor: 'anonymous', roles: [], projects: [] } as const;

/** The rows of the component, each document prepared once. */
function restApiOf(
  { component, restApi: kind, permissions, wrap, docs, log }: AloneOptions,
  limits: OperationLimits,
  extensions: () => Promise<ComponentExtensions>,
): RestApi {
  const prepare = binding(
    {
      prepare: (document) => component.prepare(document),
      subscribe: (document, variables, caller) => component.subscribe(document, variables, caller),
    },
    permissions,
  );
  const rows = createRestApi({
    component: kind.name,
    prefix: '',
    rows: kind.rows.filter((row) => row.of === undefined || row.of === kind.name),
    envelope: kind.envelope,
    refuse: kind.refuse,
    prepare,
    content: component.content,
    receive: component.receive,
    limits,
    bulkBodyLimit: BULK_BODY_LIMIT,
    extensions,
    onFault: (err, { requestId }) => log.error({ err, requestId }, 'unexpected error in a REST route'),
  });
  const describing = {
    kind,
    schema: component.schema,
    permissionOf: (document: string) => permissionOf(document, permissions),
  };
  const restApi = docs ? documented(rows, describing) : rows;
  return wrap ? wrap(restApi) : restApi;
}

async function health(component: LocalComponent, service: string, res: ServerResponse): Promise<void> {
  const status = await component.probe(AbortSignal.timeout(2000));
  const body = JSON.stringify({ status: status === 200 ? 'healthy' : 'unhealthy', service });
  res.writeHead(status ?? 503, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}

function refuse(res: ServerResponse, error: DomainError, body: string): void {
  if (res.headersSent) return void res.destroy();
  if (error.status === 401)
    res.setHeader(
      'www-authenticate',
      `Bearer realm="cairn"${error.code === 'missing_token' ? '' : ', error="invalid_token"'}`,
    );
  if (error.status === 403)
    res.setHeader('www-authenticate', 'Bearer realm="cairn", error="insufficient_scope"');
  res.writeHead(error.status, { 'content-type': 'application/json; charset=utf-8' }).end(body);
}

/** The extensions of every answer: the schema revision, if the component has one. */
function standingOf(component: LocalComponent): () => Promise<ComponentExtensions> {
  const revision =
    component.schema.getQueryType()?.getFields()['schemaRevision'] && component.prepare('{ schemaRevision }');
  return async () =>
    (await revision?.({}, { ...NOBODY, roles: ['viewer'], requestId: randomUUID() }))?.extensions ?? {};
}

const failing =
  ({ restApi, log }: AloneOptions, standing: () => Promise<ComponentExtensions>) =>
  async (res: Answer, thrown: unknown): Promise<void> => {
    const error = masked(thrown);
    const { requestId = randomUUID() } = res;
    refuse(res, error, restApi.envelope.failure(error, requestId, await standing()));
    if (error.code === 'internal_error')
      log.error({ err: thrown, requestId }, 'unexpected error while answering');
  };

export function answerAlone(options: AloneOptions): Alone {
  const { component, restApi: kind, log, reader, tracing, limits = DEFAULT_OPERATION_LIMITS } = options;
  const closing = new AbortController();
  const find = operationsOf(component);
  const graphql = createSubgraphHandler(
    component,
    { ...reader, limits, bodyLimit: BULK_BODY_LIMIT, closing: closing.signal, log },
    find,
  );
  const frames = new AcceptFrames({ reader, find, limits, log, tracing });
  const standing = standingOf(component);
  const restApi = restApiOf(options, limits, standing);

  const failed = failing(options, standing);
  let isServing = true;
  const answer = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    // Answer is the response with its request's id, set here
    const requestId = ((res as Answer).requestId = randomUUID());
    res.setHeader('x-request-id', requestId);
    res.setHeader('x-content-type-options', 'nosniff');
    const gone = new AbortController();
    res.on('close', () => {
      if (!res.writableFinished) gone.abort(new ClientGone());
    });
    try {
      options.checkHost?.(req);
      if (req.headers[AS_OF_HEADER] !== undefined)
        throw refusalAsOf('everything of a component by itself', AS_OF_FIELD);
      const [raw = '/', search = ''] = (req.url ?? '/').split(/\?(.*)/s, 2);
      const path = canonicalPath(raw);
      if (options.probes !== undefined && (await options.probes(path, res, isServing))) return;
      if (path === '/graphql') return await graphql(req, res);
      if (path === '/health' && kind.name !== 'metadata') return await health(component, kind.name, res);
      const identify = (): Caller | Promise<Caller> => options.identify(req, requestId, gone.signal);
      if (path === METRICS_PATH && options.metrics) return await options.metrics(req, res, identify);
      const match = restApi.match(req.method ?? '', path);
      const caller = match.access === 'public' ? { ...NOBODY, requestId } : await identify();
      if (match.access !== 'public') assertAllowed(caller, match.access);
      const ctx: RequestContext = {
        req,
        res,
        requestId,
        path,
        search,
        ip: req.socket.remoteAddress ?? '',
        caller,
        template: match.template,
        bodyLimit: match.bodyLimit ?? options.bodyLimit,
      };
      await match.handle(ctx);
    } catch (thrown) {
      await failed(res, thrown);
    }
  };

  let underWay = 0;
  const listener = (req: IncomingMessage, res: ServerResponse): void => {
    underWay++;
    res.on('close', () => {
      underWay--;
    });
    void answer(req, res);
  };
  const ordinary = tracing ? tracing.serve(listener) : listener;
  return {
    answer: ordinary,
    upgrade: upgradingAlone({ frames, ordinary, checkHost: options.checkHost, refuse: failed }),
    retire: () => {
      isServing = false;
      frames.leave();
    },
    cutOff: () => frames.close(),
    closeStreams: async () => {
      closing.abort();
      frames.leave();
    },
    idle: () => untilNone(() => underWay + frames.open),
    async close() {
      frames.close();
      await component.close();
    },
  };
}
