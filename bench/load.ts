// Puts a server under load and measures its responses: with wrk where it is on the PATH, else with
// autocannon.
import { spawn } from 'node:child_process';
import { accessSync, constants, writeFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../platform/project-root.ts';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

export interface Plan {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in turn, repeatedly. */
  readonly requests: readonly LoadRequest[];
  readonly clients: number;
  readonly seconds: number;
}

/** Latencies are in milliseconds. */
export interface Measured {
  readonly rps: number;
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
}

export interface LoadGenerator {
  readonly name: GeneratorName;
  /** @throws Error where the generator fails; failed requests are counted in the result */
  run(plan: Plan): Promise<Measured>;
}

export function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, program), constants.X_OK);
      return directory !== '';
    } catch {
      return false; // not in this directory
    }
  });
}

export const GENERATORS = ['wrk', 'autocannon'] as const;
export type GeneratorName = (typeof GENERATORS)[number];

/** wrk uses a fraction of autocannon's CPU time, which leaves more to the servers. */
export const bestGenerator = (): GeneratorName => (isOnPath('wrk') ? 'wrk' : 'autocannon');

/** `directory` is for its scripts; `signal` stops a running load. */
export function createLoadGenerator(
  name: GeneratorName,
  directory: string,
  signal: AbortSignal,
): LoadGenerator {
  return {
    name,
    run:
      name === 'wrk'
        ? (plan) => runWrk(plan, directory, signal)
        : (plan) => runAutocannon(plan, directory, signal),
  };
}

async function runAutocannon(plan: Plan, directory: string, signal: AbortSignal): Promise<Measured> {
  const file = path.join(directory, 'plan.json');
  writeFileSync(file, JSON.stringify(plan));
  return JSON.parse(
    await output(process.execPath, [path.join(projectRoot, 'bench', 'autocannon-client.mjs'), file], signal),
  ) as Measured; // the output's format
}

/** A slow response counts as a response; its latency is measured. */
const TIMEOUT_SECONDS = 30;

/** JSON strings are valid Lua strings as long as they are ASCII. */
const lua = (value: string): string => JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, '?');

function wrkScript({ headers, requests }: Plan): string {
  return `local plan = {
${requests.map(({ method, path: target, body }) => `{${lua(method)}, ${lua(target)}, ${body === undefined ? 'nil' : lua(body)}},`).join('\n')}
}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`)
  .join('\n')}
local requests, at = {}, 0
function init(args) for i, r in ipairs(plan) do requests[i] = wrk.format(r[1], r[2], nil, r[3]) end end
function request() at = at % #requests + 1 return requests[at] end
function done(summary, latency, all)
  local e = summary.errors
  io.write(string.format('RESULT {"rps":%f,"p50":%f,"p99":%f,"failed":%d}\\n', summary.requests / (summary.duration / 1e6),
    latency:percentile(50) / 1000, latency:percentile(99) / 1000, e.status + e.connect + e.read + e.write + e.timeout))
end
`;
}

async function runWrk(plan: Plan, directory: string, signal: AbortSignal): Promise<Measured> {
  const script = path.join(directory, 'load.lua');
  writeFileSync(script, wrkScript(plan));
  const printed = await output(
    'wrk',
    [
      '-t1',
      `-c${plan.clients}`,
      `-d${plan.seconds}`,
      '--timeout',
      `${TIMEOUT_SECONDS}s`,
      '-s',
      script,
      plan.url,
    ],
    signal,
  );
  const result = /^RESULT (.*)$/m.exec(printed)?.[1];
  if (result === undefined) throw new Error(`wrk printed no result:\n${printed}`);
  return JSON.parse(result) as Measured; // the format that the script prints
}

function output(program: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], signal });
    let printed = '';
    let complaints = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      printed += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      complaints += chunk;
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(printed);
      else reject(new Error(`${program} ended with ${status}: ${complaints}${printed}`));
    });
  });
}
