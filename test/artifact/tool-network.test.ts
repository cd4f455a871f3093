// The network of tools that request it: public addresses by http and https, through a proxy, and nothing
// else; or none.
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addressCheck } from '../../subgraphs/artifact/cwl-source/public-addresses.ts';
import { CwltoolRunner } from '../../subgraphs/artifact/runners/cwltool-runner.ts';
import {
  type Egress,
  type EgressProxy,
  isOwnAddress,
  startEgressProxy,
} from '../../subgraphs/artifact/runners/egress-proxy.ts';
import { sandboxKind } from '../../subgraphs/artifact/runners/sandbox.ts';
import { base64 } from './registration-testkit.ts';
import {
  addSchema,
  canRun,
  cwltoolSettings,
  GREETING,
  produce,
  shell,
  startProducer,
  storedFile,
} from './production-testkit.ts';

const isGuarded = canRun && (await sandboxKind()) === 'bubblewrap';
if (!isGuarded)
  console.warn(
    'SKIPPED: without cwltool and bubblewrap, the network of tools is not tested (Debian: apt-get install cwltool bubblewrap)',
  );

let root: string;
let service: http.Server;
let port: number;
const asked: string[] = [];
beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'cairn-network-'));
  service = http
    .createServer((request, response) => {
      asked.push(
        `${request.method} ${request.headers.host} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`,
      );
      response.end('served');
    })
    .listen(0, '127.0.0.1');
  await new Promise((resolve) => service.once('listening', resolve));
  ({ port } = service.address() as net.AddressInfo);
});
afterAll(async () => {
  service.close();
  await rm(root, { recursive: true, force: true });
});

/** One name resolves to the service, as a public one would. */
const EGRESS: Egress = {
  mayConnect: (address) => address === '127.0.0.1',
  resolve: (host) =>
    Promise.resolve(
      host === 'public.test' ? ['127.0.0.1'] : host === 'both.test' ? ['127.0.0.1', '10.0.0.1'] : [],
    ),
};

/** The proxy's answer to raw bytes. */
const say = (proxy: EgressProxy, text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = net.connect(proxy.socket);
    let answer = '';
    socket
      .on('data', (chunk) => {
        answer += chunk.toString();
      })
      .on('close', () => {
        resolve(answer);
      })
      .on('error', () => {
        resolve(answer);
      });
    socket.write(text);
  });

test('the proxy forwards and connects to what may be connected to, and to nothing else, however it is spelled', async () => {
  const proxy = await startEgressProxy(EGRESS, null);
  try {
    const get = (target: string, more = '') =>
      say(proxy, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
    expect(await get(`http://public.test:${port}/a?b`, 'Proxy-Authorization: Basic abc\r\n')).toMatch(
      /^HTTP\/1.1 200 [^]*served/,
    );
    expect(asked.at(-1)).toBe(`GET public.test:${port} /a?b `);
    expect(
      await say(
        proxy,
        `CONNECT public.test:${port} HTTP/1.1\r\n\r\nGET /through HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1.1 200 Connection established\r\n\r\nHTTP\/1.1 200 [^]*served/);
    expect(asked.at(-1)).toBe('GET x /through ');
    for (const target of [
      'http://both.test/',
      'http://unknown.test/',
      'http://10.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:10.0.0.1]/',
      'http://0/',
      'http://169.254.169.254/',
      'https://public.test/',
      'ftp://public.test/',
      'file:///etc/passwd',
      '/etc/passwd',
    ]) {
      expect(await get(target), target).toMatch(/^HTTP\/1.1 40[03] /);
    }
    for (const target of [
      '10.0.0.1:80',
      '[::1]:80',
      'both.test:443',
      'public.test',
      'public.test:0x50',
      'public.test:99999',
      'a@public.test:80',
      '/etc:1',
    ]) {
      expect(await say(proxy, `CONNECT ${target} HTTP/1.1\r\n\r\n`), target).toMatch(/^HTTP\/1.1 40[03] /);
    }
    expect(await say(proxy, 'CONNECT public.test:1 HTTP/1.1\r\n\r\n')).toMatch(/^HTTP\/1.1 502 /);
    expect(await get('http://public.test:1/')).toMatch(/^HTTP\/1.1 502 /);
  } finally {
    await proxy.close();
  }
  await expect(readFile(proxy.socket)).rejects.toThrow();
});

test('denied networks are refused even if they are public or allowed; this machine is never reached', () => {
  const may = addressCheck(['10.0.0.0/8'], ['10.1.0.0/16', '8.8.8.0/24']);
  expect(['10.2.0.1', '9.9.9.9', '10.1.0.1', '8.8.8.8', '::ffff:8.8.8.8', '192.168.0.1'].map(may)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1', '0.0.0.0', '127.9.9.9'].map(isOwnAddress)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ]);
  expect(
    Object.values(os.networkInterfaces())
      .flatMap((all) => all ?? [])
      .every(({ address }) => isOwnAddress(address)),
  ).toBe(true);
  expect(isOwnAddress('192.0.2.1')).toBe(false);
});

const fetches = (address: string, options = ''): string =>
  `python3 -c "import urllib.request as u;print(u.urlopen('${address}',timeout=20).read().decode())" ${options}`;

async function run(command: string, network: 'none' | 'filtered'): Promise<string> {
  const directory = await mkdtemp(path.join(root, 'run-'));
  const outcome = await new CwltoolRunner(
    cwltoolSettings({ network }),
    { cores: 1, ram: 2 ** 31, disk: 2 ** 28, timeSeconds: 120 },
    EGRESS,
  ).run(
    {
      id: 'x',
      main: 'https://inline.invalid/w.cwl',
      version: 'v1.2',
      documents: [
        {
          url: 'https://inline.invalid/w.cwl',
          content: shell(
            `(${command}) > out.txt 2>&1 || true`,
            'x: string?',
            'out: {type: File, outputBinding: {glob: out.txt}}',
          ),
        },
      ],
      inputs: {},
      network: true,
      images: null,
      onLog: () => undefined,
    },
    directory,
    new AbortController().signal,
  );
  expect(outcome, outcome.log).toMatchObject({ ok: true });
  return readFile(path.join(directory, 'outputs', 'out.txt'), 'utf8');
}

test.skipIf(!isGuarded)(
  'a tool that asks for the network reaches what may be reached, by the proxy that its environment names, and not by itself',
  async () => {
    expect(await run(fetches(`http://public.test:${port}/tool`), 'filtered')).toContain('served');
    expect(asked.some((line) => line.includes('/tool'))).toBe(true);
    expect(await run(fetches('http://10.0.0.1/'), 'filtered')).toContain('403');
    expect(
      await run(`env -u http_proxy -u HTTP_PROXY ${fetches(`http://127.0.0.1:${port}/direct`)}`, 'filtered'),
    ).toMatch(/refused|unreachable/);
    expect(await run(fetches(`http://public.test:${port}/none`), 'none')).toMatch(
      /refused|unreachable|not known|resolution/,
    );
    expect(asked.some((line) => /\/(?:direct|none)/.test(line))).toBe(false);
  },
);

const rule = (requirement: string) => ({
  execute: {
    cwl_content: base64(
      shell(
        `${fetches('http://127.0.0.1:1/')} > out.txt 2>&1 || true`,
        'sample: string',
        "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
        requirement,
      ),
    ),
  },
  produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
});

test.skipIf(!canRun)(
  'the network of this machine is not reached although it is allowed; the plan says what there is',
  async () => {
    await using server = await startProducer('artifact: {allow_networks: ["127.0.0.0/8"]}\n');
    await addSchema(server, GREETING);
    const asks = shell(
      `${fetches(`${server.url}/api/v1/gateway/metrics`)} > out.txt 2>&1 || true`,
      'sample: string',
      "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ).replace('requirements:\n', 'requirements:\n  NetworkAccess: {networkAccess: true}\n');
    const { status, text } = await server.rest('POST', '/api/v1/artifact/rules', {
      body: { ...rule(''), name: 'asks', execute: { cwl_content: base64(asks) } },
    });
    expect(status, text).toBe(201);
    const {
      body: { plan },
    } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=a');
    expect(plan.reason).toContain('through the proxy in http_proxy and https_proxy');
    if (!isGuarded) return;
    const { body } = await produce(server, { entity_type: 'Greeting', criteria: { sample: 'a' } });
    expect(body.status, JSON.stringify(body)).toBe('completed');
    const made = await readFile(storedFile(server, body.entity.uri), 'utf8');
    expect(made).toContain('403');
    expect(made).not.toContain('cairn_');
  },
);

test('a key forbids the network: a workflow that requires it is not registered, one that hints at it is, and its plan says so', async () => {
  await using server = await startProducer('artifact: {runner: {type: cwltool, network: none}}\n');
  await addSchema(server, GREETING);
  const required = shell(
    'true',
    'sample: string',
    "uri: {type: File, outputBinding: {glob: out.txt}}\nsample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
  ).replace('requirements:\n', 'requirements:\n  NetworkAccess: {networkAccess: true}\n');
  const refused = await server.rest('POST', '/api/v1/artifact/rules', {
    body: { ...rule(''), name: 'required', execute: { cwl_content: base64(required) } },
  });
  expect(refused).toMatchObject({
    status: 422,
    body: {
      details: {
        violations: [{ check: 'network', message: expect.stringContaining('artifact.runner.network') }],
      },
    },
  });
  const hinted = await server.rest('POST', '/api/v1/artifact/rules', {
    body: { ...rule('hints: {NetworkAccess: {networkAccess: true}}\n'), name: 'hinted' },
  });
  expect(hinted.status, hinted.text).toBe(201);
  const {
    body: { plan },
  } = await server.rest('GET', '/api/v1/artifact/resolve?entity_type=Greeting&sample=a');
  expect(plan.reason).toContain('its tools have no network access (artifact.runner.network)');
});

test('a directory of the proxy is for the server alone', async () => {
  const proxy = await startEgressProxy(EGRESS, null);
  expect((await stat(path.dirname(proxy.socket))).mode & 0o077).toBe(0);
  await proxy.close();
});
