// WebSockets to a component of kind `rest`: the component makes the upgrade, and then both sides talk to each other
// (docs/reference/gateway.md#websockets-of-components).
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { meansUnavailable } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { RequestContext, Upgraded } from '../../platform/request-context.ts';
import { clientHeaders, writeHead } from './forwarded-headers.ts';

export interface TunnelsOptions {
  /** Its origin. */
  readonly url: URL;
  /** Milliseconds for its answer to the upgrade. */
  readonly timeoutMs: number;
  /** WebSockets that one actor may have open at once. */
  readonly perActor: (actor: string) => () => void;
  readonly unavailable: (status: number | null, cause?: unknown) => DomainError;
}

/** What is asked of the component. */
interface Asked {
  readonly path: string;
  /** Names and values in turn, without those of the upgrade itself. */
  readonly headers: readonly string[];
}

export class Tunnels {
  readonly #options: TunnelsOptions;
  readonly #open = new Set<Duplex>();
  #isClosing = false;

  constructor(options: TunnelsOptions) {
    this.#options = options;
  }

  /**
   * Asks the component for the upgrade. Undefined where it refused, and the client has its answer.
   * @throws DomainError `component_unavailable`, `rate_limit_exceeded`
   */
  async open(ctx: RequestContext, asked: Asked): Promise<Upgraded | undefined> {
    const { perActor, unavailable } = this.#options;
    if (this.#isClosing)
      throw new DomainError('component_unavailable', 'this process stops: connect again', {
        component: 'gateway',
        upstream_status: null,
      });
    const leave = perActor(ctx.caller.actor);
    try {
      const request = this.#ask(asked);
      const gone = (): unknown => request.destroy();
      ctx.req.socket.once('close', gone);
      const answer = await answerTo(request).catch((cause: unknown) => {
        throw unavailable(null, cause);
      });
      ctx.req.socket.off('close', gone);
      if (answer.socket !== undefined) return this.#joined(ctx, { ...answer, socket: answer.socket }, leave);
      leave();
      await refuse(ctx, answer.res, unavailable);
      return undefined;
    } catch (fault) {
      leave();
      throw fault;
    }
  }

  /** Ends all of them; new ones are refused. */
  close(): void {
    this.#isClosing = true;
    for (const socket of this.#open) socket.end();
  }

  #ask({ path, headers }: Asked): http.ClientRequest {
    const { url, timeoutMs } = this.#options;
    const request = (url.protocol === 'https:' ? https : http).request({
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port,
      path,
      agent: false,
      headers: ['host', url.host, 'connection', 'Upgrade', 'upgrade', 'websocket', ...headers],
    });
    const late = setTimeout(() => request.destroy(new Error('no answer to the upgrade')), timeoutMs);
    request.once('close', () => clearTimeout(late));
    request.once('upgrade', () => clearTimeout(late));
    request.end();
    return request;
  }

  #joined(ctx: RequestContext, { res, socket: theirs, head: first }: Made, leave: () => void): Upgraded {
    theirs.on('error', () => theirs.destroy()); // a lost connection ends both sides
    return (ours, head) => {
      this.#open.add(ours);
      ours.once('close', () => {
        this.#open.delete(ours);
        theirs.destroy();
        leave();
      });
      theirs.once('close', () => ours.end());
      if (ours.destroyed || this.#isClosing) return void ours.destroy();
      ours.write(switching(ctx, res));
      if (first !== undefined) ours.write(first);
      theirs.write(head);
      ours.pipe(theirs).pipe(ours);
    };
  }
}

const answerTo = (request: http.ClientRequest): Promise<Answered> =>
  new Promise((resolve, reject) => {
    request.once('upgrade', (res, socket, head) => resolve({ res, socket, head }));
    request.once('response', (res) => resolve({ res }));
    request.once('error', reject);
  });

interface Answered {
  readonly res: IncomingMessage;
  readonly socket?: Duplex;
  readonly head?: Buffer;
}
type Made = Answered & { readonly socket: Duplex };

/** The head of the answer that makes the upgrade (RFC 6455, 4.2.2). */
function switching({ requestId }: RequestContext, { headers }: IncomingMessage): string {
  const lines = Object.entries(clientHeaders(headers, undefined)).flatMap(([name, value]) =>
    [value].flat().map((one) => `${name}: ${one}`),
  );
  return [
    'HTTP/1.1 101 Switching Protocols',
    'connection: Upgrade',
    'upgrade: websocket',
    `x-request-id: ${requestId}`,
    ...lines,
    '\r\n',
  ].join('\r\n');
}

/** The component's own answer to a request that it does not upgrade. */
async function refuse(
  { res }: RequestContext,
  answer: IncomingMessage,
  unavailable: TunnelsOptions['unavailable'],
): Promise<void> {
  const status = answer.statusCode ?? 502;
  if (meansUnavailable(status)) {
    answer.resume();
    throw unavailable(status);
  }
  writeHead(res, status, answer.headers);
  await pipeline(answer, res);
}
