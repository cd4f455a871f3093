// The worker thread that answers introspection of a graph with thousands of types.
import { parentPort } from 'node:worker_threads';
import { buildASTSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { lazySchema } from '../../platform/lazy-schema.ts';
import type { Asked, Told } from './introspect-in-worker.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the entry point of a worker thread');

let base: GraphQLSchema | undefined;
let schema: GraphQLSchema | undefined;
let holder: string | null = null;
const types = new Map<string, string>();
const fields = new Map<string, string>();

async function answer(
  source: string,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  if (base === undefined) throw new Error('a request arrived before the schema');
  schema ??=
    holder === null
      ? base
      : lazySchema(base, {
          holder,
          type: (name) => types.get(name),
          field: (name) => fields.get(name),
          types: () => types.keys(),
          fields: () => fields.keys(),
        });
  const { data, errors } = await execute({ schema, document: parse(source), variableValues });
  if (errors?.[0]) throw errors[0];
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, JSON.stringify(value)]));
}

port.on('message', (message: Asked) => {
  switch (message.kind) {
    case 'schema':
      [base, schema, holder] = [
        buildASTSchema(parse(message.sdl, { noLocation: true }), { assumeValid: true, assumeValidSDL: true }),
        undefined,
        message.holder,
      ];
      types.clear();
      fields.clear();
      return;
    case 'parts':
      for (const [name, sdl] of message.types) types.set(name, sdl);
      for (const [name, sdl] of message.fields) fields.set(name, sdl);
      return;
    case 'ask':
      answer(message.source, message.variables)
        .then(
          (texts): Told => ({ texts }),
          (fault: unknown): Told => ({
            message: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
          }),
        )
        .then(
          (told) => {
            port.postMessage(told);
          },
          () => undefined,
        ); // Strings can be posted.
      return;
    default:
      message satisfies never;
  }
});
