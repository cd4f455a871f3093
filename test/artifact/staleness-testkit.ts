// A platform with samples, greetings that are made of them, and echoes that are made of greetings.
import type { TestServer } from '../testkit/server.ts';
import { addRule, addSchema, produce, shell, startProducer } from './production-testkit.ts';
import { field } from './schema-field.ts';

const workflow = (command: string, inputs: string): string =>
  shell(
    command,
    inputs,
    [
      'uri: {type: File, outputBinding: {glob: out.txt}}',
      "sample: {type: string, outputBinding: {outputEval: '$(inputs.sample)'}}",
    ].join('\n'),
  );
export const GREET = workflow('echo $(inputs.reads) > out.txt', 'sample: string\nreads: string');
export const GREET_LOUDLY = workflow('echo LOUD $(inputs.reads) > out.txt', 'sample: string\nreads: string');
/** Runs until it is cancelled, for what a test does. */
export const SLOW = GREET.replace('echo $(inputs.reads)', 'sleep 600; echo $(inputs.reads)');
export const ECHO = workflow(
  'sleep 1; cat $(inputs.greeting.path) > out.txt',
  'sample: string\ngreeting: File',
);

export const GREETS = {
  produces: { entity_type: 'Greeting', match: { sample: '{sample}' } },
  requires: [{ ref: 'Sample(name={sample})' }],
};

export const ECHOES = {
  produces: { entity_type: 'Echo', match: { sample: '{sample}' } },
  requires: [{ ref: 'Greeting(sample={sample})' }],
};

export interface Told {
  readonly is_stale: boolean;
  readonly is_complete: boolean;
  readonly reasons: readonly Record<string, unknown>[];
}

export interface Greeter {
  readonly server: TestServer;
  readonly write: (sample: string, data: Record<string, unknown>) => Promise<void>;
  readonly make: (entityType: string, sample: string, more?: Record<string, unknown>) => Promise<string>;
  readonly told: (id: string, key?: string) => Promise<Told>;
}

/** The types and rules of them. */
export async function addGreetings(server: TestServer): Promise<void> {
  const text = (name: string) => field(name, 'string');
  await addSchema(server, {
    name: 'Sample',
    version: '1',
    fields: [field('name', 'string', { required: true }), text('reads'), text('note'), text('project')],
  });
  for (const name of ['Greeting', 'Echo'])
    await addSchema(server, { name, version: '1', fields: [field('uri', 'uri'), text('sample')] });
  await addRule(server, 'greet', GREET, GREETS);
  await addRule(server, 'echo', ECHO, ECHOES);
}

export async function startGreeter(config = ''): Promise<Greeter> {
  const server = await startProducer(config);
  await addGreetings(server);
  return {
    server,
    async write(sample, data) {
      const body = { entity_type: 'Sample', id: sample, data: { name: sample, ...data } };
      const { status, text: answer } = await server.rest('POST', '/api/v1/metadata/ingest', { body });
      if (status !== 200) throw new Error(answer);
    },
    async make(entityType, sample, more = {}) {
      const { body } = await produce(server, { entity_type: entityType, criteria: { sample }, ...more });
      if (body.entity === undefined) throw new Error(JSON.stringify(body));
      return String(body.entity.id);
    },
    async told(id, key = server.key) {
      return (await server.rest('GET', `/api/v1/artifact/staleness/${id}`, { key })).body as Told;
    },
  };
}
