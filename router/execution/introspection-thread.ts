// The worker thread that answers introspection of a graph with thousands of types.
import { parentPort } from 'node:worker_threads';
import { buildASTSchema, execute, type GraphQLSchema, parse } from 'graphql';
import { lazySchema } from '../../platform/lazy-schema.ts';
import type { LOADED } from './asked-thread.ts';
import type { Asked, Told } from './introspect-in-worker.ts';

const port = parentPort;
if (port === null) throw new Error('this module is the entry point of a worker thread');

let base: GraphQLSchema | undefined;
let schema: GraphQLSchema | undefined;
let hasParts = false;
const types = new Map<string, string>();
/** By the type that they are added to. */
const fields = new Map<string, Map<string, string>>();

async function answer(
  source: string,
  variableValues: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, string>>> {
  if (base === undefined) throw new Error('a request arrived before the schema');
  schema ??= hasParts
    ? lazySchema(base, {
        holds: (type) => fields.has(type),
        type: (name) => types.get(name),
        field: (holder, name) => fields.get(holder)?.get(name),
        types: () => types.keys(),
        fields: (holder) => fields.get(holder)?.keys() ?? [],
      })
    : base;
  const { data, errors } = await execute({ schema, document: parse(source), variableValues });
  if (errors?.[0]) throw errors[0];
  return Object.fromEntries(Object.entries(data ?? {}).map(([key, value]) => [key, JSON.stringify(value)]));
}

port.on('message', (message: Asked) => {
  switch (message.kind) {
    case 'schema':
      [base, schema, hasParts] = [
        buildASTSchema(parse(message.sdl, { noLocation: true }), { assumeValid: true, assumeValidSDL: true }),
        undefined,
        message.hasParts,
      ];
      types.clear();
      fields.clear();
      return;
    case 'parts':
      for (const [name, sdl] of message.types) types.set(name, sdl);
      for (const [holder, name, sdl] of message.fields)
        fields.set(holder, (fields.get(holder) ?? new Map<string, string>()).set(name, sdl));
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
port.postMessage('loaded' satisfies typeof LOADED);
