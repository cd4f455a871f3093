// `cairn query` sends a GraphQL document and prints the response.
import type { Command } from 'commander';
import { clientCommand, clientOf, type CommonOptions, readInput } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { errorLines, type GraphqlAnswer } from '../graphql.ts';
import type { Session } from '../session.ts';

interface Options extends CommonOptions {
  readonly variables?: string;
  readonly operation?: string;
}

/** Returns the text itself; or the content of the file after `@`; or standard input for `-`. */
function textOf(session: Session, given: string): string | Promise<string> {
  if (given === '-') return readInput(session, '-');
  return given.startsWith('@') ? readInput(session, given.slice(1)) : given;
}

function variablesOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (cause) {
    throw new UsageFailure(
      `--variables must be a JSON object: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
  throw new UsageFailure('--variables must be a JSON object');
}

export function queryCommand(session: Session): Command {
  return clientCommand('query', 'send a GraphQL query or mutation', [
    'query \'{ entity(id: "sample:HG00096") { id entityType data } }\'',
    'query @samples.graphql --variables \'{"first": 10}\'',
    'query - < samples.graphql',
  ])
    .argument('<document>', 'GraphQL document; @file reads it from a file, - from standard input')
    .option('--variables <json>', 'variables as a JSON object; @file reads them from a file')
    .option('--operation <name>', 'name of the operation to run, if the document has several')
    .action(async (document: string, options: Options) => {
      const { api } = clientOf(session, options);
      const query = await textOf(session, document);
      const variables =
        options.variables === undefined ? undefined : variablesOf(await textOf(session, options.variables));
      const answer = (await api.call({
        method: 'POST',
        path: '/graphql',
        body: { query, variables, operationName: options.operation },
      })) as GraphqlAnswer; // GraphQL over HTTP
      session.stdout.write(
        `${JSON.stringify(options.json === true ? answer : (answer.data ?? null), null, 2)}\n`,
      );
      const errors = answer.errors ?? [];
      if (errors.length === 0) return;
      throw new Failure(errorLines(errors), { errors });
    });
}
