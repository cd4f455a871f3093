// A platform that produces, and small workflows for tests. Without cwltool, tests of runs are skipped with a
// message.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { storedHashIn } from '../../platform/stored-file-address.ts';
import { objectKey } from '../../subgraphs/artifact/storage/object-store.ts';
import type { CwltoolSettings } from '../../subgraphs/artifact/runners/cwltool-command.ts';
import { startServer, type TestServer } from '../testkit/server.ts';
import { base64 } from './registration-testkit.ts';
import { field } from './schema-field.ts';

const runs = (command: string): boolean =>
  spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0;

/** Whether workflows can be run on this machine. */
export const canRun = runs('cwltool');
if (!canRun)
  console.warn(
    'SKIPPED: cwltool is not installed (Debian: apt-get install cwltool), so that no workflow is run in these tests',
  );
export const hasBcftools = runs('bcftools');
if (!hasBcftools) console.warn('SKIPPED: bcftools is not installed (Debian: apt-get install bcftools)');

/** A runner's default settings. */
export const cwltoolSettings = (more: Partial<CwltoolSettings> = {}): CwltoolSettings => ({
  command: 'cwltool',
  toolPaths: [],
  containerEngine: 'none',
  containerNetwork: 'none',
  sandbox: 'preferred',
  network: 'filtered',
  readablePaths: [],
  ...more,
});
/** For tools without network access. */
export const NOWHERE = { mayConnect: () => false };

/** A shell command as a workflow; CWL replaces `$(inputs.x)`. */
export const shell = (
  command: string,
  inputs: string,
  outputs: string,
  more = '',
): string => `cwlVersion: v1.2
class: CommandLineTool
${more}requirements:
  ShellCommandRequirement: {}
  InlineJavascriptRequirement: {}
arguments: [{shellQuote: false, valueFrom: ${JSON.stringify(command)}}]
inputs:
${inputs
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
outputs:
${outputs
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`;

/** Writes its greeting into a file. */
export const GREET = shell(
  'echo hello $(inputs.sample) > out.txt',
  'sample: string\nmood: {type: string, default: plain}',
  [
    'uri: {type: File, outputBinding: {glob: out.txt}}',
    "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    "mood: {type: string, outputBinding: {outputEval: '$(inputs.mood)'}}",
  ].join('\n'),
);

export const GREETING = {
  name: 'Greeting',
  version: '1',
  fields: [
    field('uri', 'uri', { required: true }),
    field('sample', 'string', { required: true }),
    field('mood', 'string'),
    field('size', 'int'),
    field('sha256', 'string'),
    field('project', 'string'),
  ],
};

export async function startProducer(
  config = '',
  more: { transport?: 'in-process' | 'http' } = {},
): Promise<TestServer> {
  return startServer({ config, ...more });
}

/** The place of a stored file in the server's store, by its public address. */
export function storedFile({ dataDir }: Pick<TestServer, 'dataDir'>, uri: string): string {
  const hash = storedHashIn(uri);
  if (hash === null) throw new Error(`not the address of a stored file: ${uri}`);
  return path.join(dataDir, 'artifacts', 'sha256', objectKey(hash));
}

export async function addSchema(
  server: Pick<TestServer, 'rest'>,
  schema: Record<string, unknown>,
): Promise<void> {
  const { status, text } = await server.rest('POST', '/api/v1/metadata/schemas', { body: schema });
  if (status !== 200) throw new Error(text);
}

export async function addRule(
  server: Pick<TestServer, 'rest'>,
  name: string,
  cwl: string,
  rule: Record<string, unknown>,
): Promise<void> {
  const { status, text } = await server.rest('POST', '/api/v1/artifact/rules', {
    body: { name, execute: { cwl_content: base64(cwl) }, ...rule },
  });
  if (status !== 201) throw new Error(text);
}

/**
 * Requests a production and waits for its end without a limit: returns the entity, or the record of the
 * production if there is none.
 */
export async function produce(
  server: TestServer,
  body: Record<string, unknown>,
  key = server.key,
): Promise<{ status: number; body: ReturnType<typeof JSON.parse> }> {
  const ask = (sent: Record<string, unknown>) =>
    server.rest('POST', '/api/v1/artifact/produce', { body: sent, key, headers: { prefer: 'wait=20' } });
  const answer = await ask(body);
  if (answer.status !== 202) return answer;
  const record = await ended(server, answer.body.production_id);
  if (record.status !== 'completed') return { status: answer.status, body: record };
  const { plan_hash: _, ...again } = body; // that plan was executed
  const made = await ask(again);
  return { status: made.status, body: { ...made.body, production_id: answer.body.production_id } };
}

/** The production's record after its end. */
export async function ended(
  server: Pick<TestServer, 'rest'>,
  id: string,
): Promise<ReturnType<typeof JSON.parse>> {
  for (;;) {
    const { body } = await server.rest('GET', `/api/v1/artifact/productions/${id}`);
    if (body.status !== 'queued' && body.status !== 'running') return body;
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
