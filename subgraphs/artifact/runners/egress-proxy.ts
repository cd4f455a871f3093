// The only network access of tools: an HTTP proxy on a Unix socket that connects to public addresses, and to
// networks that the operator allows.
import { lookup } from 'node:dns/promises';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import net, { isIP } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { networkMatcher } from '../../../platform/config/networks.ts';
import type { ToolAccount } from './tool-account.ts';

export interface Egress {
  /** Whether an address may be connected to. */
  readonly mayConnect: (address: string) => boolean;
  /** Resolves a host name to all its addresses; by default the system's resolver. */
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

export interface EgressProxy {
  /** A Unix socket, in a directory that only our account may enter. */
  readonly socket: string;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 64;
const IDLE_MS = 5 * 60_000;
const CONNECT_MS = 30_000;
/** Hop-by-hop headers, which are not forwarded. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

class Refused extends Error {}

const systemResolver = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address);

/**
 * Never connects to this machine itself, whatever networks are allowed: services here may trust local
 * connections.
 */
export const isOwnAddress = (address: string): boolean =>
  networkMatcher([
    '127.0.0.0/8',
    '::1',
    '0.0.0.0/8',
    '::',
    ...Object.values(os.networkInterfaces()).flatMap((all) =>
      (all ?? []).map((one) => one.address.replace(/%.*$/, '')),
    ),
  ])(address);

/**
 * The address to connect to: looked up once, and all addresses of the name must be allowed.
 * @throws Refused
 */
async function addressOf(host: string, { mayConnect, resolve = systemResolver }: Egress): Promise<string> {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(bare) === 0 ? await resolve(bare).catch(() => []) : [bare];
  const [first] = found;
  if (first === undefined) throw new Refused(`the host ${bare} is unknown`);
  if (!found.every(mayConnect))
    throw new Refused(`the host ${bare} has an address that tools may not connect to`);
  return first;
}

const parseTarget = (text: string): URL | null => (URL.canParse(text) ? new URL(text) : null);

async function connect(
  request: IncomingMessage,
  client: net.Socket,
  head: Buffer,
  egress: Egress,
): Promise<void> {
  const target = /^[^/?#@\s]+:\d{1,5}$/.test(request.url ?? '')
    ? parseTarget(`tcp://${request.url ?? ''}`)
    : null;
  if (target === null) throw new Refused('CONNECT requires host:port');
  const server = net.connect({
    host: await addressOf(target.hostname, egress),
    port: Number(target.port),
    timeout: IDLE_MS,
  });
  const opening = setTimeout(() => {
    server.destroy(new Error('the host does not respond'));
  }, CONNECT_MS).unref();
  const end = (): void => {
    clearTimeout(opening);
    server.destroy();
    client.destroySoon();
  };
  server.once('connect', () => {
    clearTimeout(opening);
    isOpen = true;
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    server.write(head);
    server.pipe(client).pipe(server);
  });
  server.once('timeout', end).once('close', end);
  let isOpen = false;
  server.on('error', () => {
    if (!isOpen) client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  client.once('error', end).once('close', end);
}

async function forward(request: IncomingMessage, response: ServerResponse, egress: Egress): Promise<void> {
  const target = parseTarget(request.url ?? '');
  if (target?.protocol !== 'http:') throw new Refused('the proxy accepts only http:// requests and CONNECT');
  const host = await addressOf(target.hostname, egress);
  const dropped = new Set([
    ...HOP_BY_HOP,
    ...(request.headers.connection ?? '')
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  ]);
  const kept = (headers: http.IncomingHttpHeaders): http.OutgoingHttpHeaders =>
    Object.fromEntries(
      Object.entries(headers).filter(([name, value]) => value !== undefined && !dropped.has(name)),
    );
  const onward = http.request({
    host,
    port: target.port === '' ? 80 : Number(target.port),
    method: request.method,
    path: target.pathname + target.search,
    headers: { ...kept(request.headers), host: target.host },
    agent: false,
    timeout: IDLE_MS,
  });
  onward.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, kept(answer.headers));
    answer.pipe(response);
    answer.once('error', () => {
      response.destroy();
    });
  });
  onward.once('timeout', () => {
    onward.destroy(new Error('the host does not respond'));
  });
  onward.on('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502, { 'content-type': 'text/plain' }).end('the host cannot be reached\n');
  });
  response.once('close', () => {
    onward.destroy();
  });
  request.pipe(onward);
}

/**
 * The response to a tool; any error except a refusal is an invalid request, such as one with a malformed
 * header.
 */
const reasonOf = (fault: unknown): string =>
  fault instanceof Refused ? fault.message : 'this request is not supported';

/** Starts the proxy. @param account the other account that may connect */
export async function startEgressProxy(egress: Egress, account: ToolAccount | null): Promise<EgressProxy> {
  // short, because the path of a socket is limited
  const directory = await mkdtemp(path.join(os.tmpdir(), 'cairn-egress-'));
  const socket = path.join(directory, 'proxy');
  const server = http.createServer((request, response) => {
    forward(request, response, egress).catch((fault: unknown) => {
      response.writeHead(403, { 'content-type': 'text/plain' }).end(`${reasonOf(fault)}\n`);
    });
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.requestTimeout = 0; // an upload may take as long as the run
  server.on('connect', (request, stream, head) => {
    const client = stream as net.Socket; // It is one: the server only creates these.
    client.on('error', () => {
      client.destroy();
    });
    connect(request, client, head, egress).catch((fault: unknown) => {
      const body = `${reasonOf(fault)}\n`;
      client.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
  });
  const open = new Set<net.Socket>();
  server.on('connection', (one) => {
    open.add(one);
    one.once('close', () => {
      open.delete(one);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(socket, resolve);
  });
  if (account !== null) await chown(socket, account.uid, account.gid);
  return {
    socket,
    async close() {
      server.close();
      for (const one of open) one.destroy();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The proxy's address for tools: a port of their own loopback. */
const PORT = 3128;
export const SEEN_SOCKET = '/run/cairn/proxy';

/**
 * Forwards connections from the port to the socket while a command runs, because programs address proxies by
 * host and port.
 */
const CARRIER = `const net = require('node:net');
net.createServer((one) => {
  const other = net.connect(process.argv[1]);
  one.pipe(other).pipe(one);
  for (const [end, rest] of [[one, other], [other, one]]) end.on('error', () => rest.destroy()).on('close', () => rest.destroy());
}).listen(${PORT}, '127.0.0.1', () => {
  const [command, ...args] = process.argv.slice(2);
  const child = require('node:child_process').spawn(command, args, { stdio: 'inherit' });
  child.on('error', (fault) => { console.error(fault.message); process.exit(127); });
  child.on('exit', (status, signal) => process.exit(status ?? 128 + require('node:os').constants.signals[signal]));
});`;

/** A command with the proxy at its own loopback. @param node the Node.js that forwards */
export const carried = (node: string, words: readonly string[]): readonly string[] => [
  node,
  '-e',
  CARRIER,
  '--',
  SEEN_SOCKET,
  ...words,
];

export const PROXY_VARIABLES: Readonly<Record<string, string>> = Object.fromEntries(
  ['http_proxy', 'https_proxy', 'HTTP_PROXY', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'].map((name) => [
    name,
    `http://127.0.0.1:${PORT}`,
  ]),
);
