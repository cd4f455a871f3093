// `cairn query` sends a GraphQL document and prints the response: as JSON, or its list as a table. Of a subscription it
// prints what is delivered, a line for each.
import type { Command } from 'commander';
import { isObject } from '../../platform/json-object.ts';
import type { Api, Json } from '../api.ts';
import { asColumns, rowsOf } from '../answer-rows.ts';
import { clientCommand, clientOf, readInput } from '../command.ts';
import { StreamRefused, subscribe } from '../event-stream.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { errorLines, type GraphqlAnswer } from '../graphql.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

interface Options extends ListOptions {
  readonly variables?: string;
  readonly operation?: string;
}

/** Returns the text itself; or the content of the file after `@`; or standard input for `-`. */
function textOf(session: Session, given: string): string | Promise<string> {
  if (given === '-') return readInput(session, '-');
  return given.startsWith('@') ? readInput(session, given.slice(1)) : given;
}

function variablesOf(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UsageFailure(
      `--variables must be a JSON object: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  throw new UsageFailure('--variables must be a JSON object');
}

/** JSON unless another format is asked for: a table is only of an answer with one list. */
function print(session: Session, options: Options, answer: GraphqlAnswer): void {
  const { output, columns, json = false } = options;
  const data = answer.data ?? null;
  if (output === undefined && columns === undefined) {
    session.stdout.write(`${JSON.stringify(json ? answer : data, null, 2)}\n`);
    return;
  }
  const isTable = columns !== undefined || output === 'table' || output === 'csv';
  const rows = isTable || output === 'ndjson' ? rowsOf(data) : [];
  const { items, names } = isTable ? asColumns(rows) : { items: rows, names: [] };
  printList(session, options, {
    answer: output === 'json' ? answer : data,
    items,
    columns: Object.fromEntries(names.map((name) => [name, name])),
  });
}

/** Whether the document begins with a subscription, or has one of the name that is asked for. */
const isSubscription = (document: string, operation: string | undefined): boolean =>
  operation === undefined
    ? /^(?:[\s,\uFEFF]|#[^\n]*\n)*subscription\b/.test(document)
    : [...document.matchAll(/\bsubscription\s+([_A-Za-z]\w*)/g)].some(([, name]) => name === operation);

/** Prints the data of each event until the stream is complete, or Ctrl-C. @throws Failure */
async function follow(
  session: Session,
  api: Api,
  query: string,
  variables: Json,
  operation: string | undefined,
): Promise<void> {
  const events = subscribe(api.target, query, variables, operation);
  const ended = new Promise<'ended'>((resolve) => {
    session.onSignal(() => {
      resolve('ended');
    });
  });
  try {
    for (;;) {
      const next = await Promise.race([events.next(), ended]);
      if (next === 'ended') {
        void events.return().catch(() => undefined); // nobody reads it any more
        return;
      }
      if (next.done === true) return;
      session.stdout.write(`${JSON.stringify(next.value)}\n`);
    }
  } catch (cause) {
    if (cause instanceof StreamRefused) throw new Failure(cause.message, undefined, { cause });
    throw cause;
  }
}

export function queryCommand(session: Session): Command {
  return printsList(
    clientCommand('query', 'send a GraphQL query or mutation, or follow a subscription', [
      'query \'{ entity(id: "sample:HG00096") { id entityType data } }\'',
      'query @samples.graphql --variables \'{"first": 10}\'',
      'query - < samples.graphql',
      "query '{ typed { sampleList(first: 1000) { nodes { id donor { age } } } } }' -o csv",
      "query 'subscription { provenanceEvents { event { entityId eventType } } }'",
    ]),
    'the data as JSON',
  )
    .argument('<document>', 'GraphQL document; @file reads it from a file, - from standard input')
    .option('--variables <json>', 'variables as a JSON object; @file reads them from a file')
    .option('--operation <name>', 'name of the operation to run, if the document has several')
    .action(async (document: string, options: Options) => {
      const { api } = clientOf(session, options);
      const query = await textOf(session, document);
      const variables =
        options.variables === undefined ? undefined : variablesOf(await textOf(session, options.variables));
      if (isSubscription(query, options.operation))
        return follow(session, api, query, variables ?? {}, options.operation);
      const answer = (await api.call({
        method: 'POST',
        path: '/graphql',
        body: { query, variables, operationName: options.operation },
      })) as GraphqlAnswer; // GraphQL over HTTP
      const errors = answer.errors ?? [];
      // of what failed there is no table
      if (errors.length === 0 || options.output === undefined) print(session, options, answer);
      if (errors.length > 0) throw new Failure(errorLines(errors), { errors });
    });
}
