// `cairn watch` shows provenance events as they happen; `cairn explain` tells how a filter is evaluated.
import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member } from '../api.ts';
import { choice, clientCommand, clientOf, collected, type CommonOptions } from '../command.ts';
import { StreamRefused, subscribe } from '../event-stream.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { askGraphql } from '../graphql.ts';
import { facts, type Paint, paintFor, printable } from '../output.ts';
import type { Session } from '../session.ts';

const FEED = `subscription Watch($types: [String!], $entityTypes: [String!], $filter: String, $after: String) {
  provenanceEvents(types: $types, entityTypes: $entityTypes, filter: $filter, after: $after) {
    token
    event { id event_type: eventType entity_id: entityId entity_type: entityType actor timestamp payload }
  }
}`;
const TOKEN = '{ provenanceToken }';
/** Milliseconds before a feed that broke off is resumed. */
const RESUME_MS = 1000;
/** So often in a row before the command gives up. */
const ATTEMPTS = 30;

interface WatchOptions extends CommonOptions {
  readonly event?: readonly string[];
  readonly type?: readonly string[];
  readonly filter?: string;
  readonly after?: string;
  readonly output?: 'text' | 'ndjson';
}

function line(paint: Paint, event: unknown): string {
  const text = (name: string): string => {
    const value = member(event, name);
    return typeof value === 'string' ? printable(value) : '-';
  };
  const payload = printable(JSON.stringify(member(event, 'payload'))).replaceAll('\n', ' ');
  return `${paint.dim(text('timestamp'))} ${paint.bold(text('event_type'))} ${text('entity_id')} ${text('actor')} ${paint.dim(payload)}`;
}

export const watchCommand = (session: Session): Command =>
  clientCommand('watch', 'show provenance events as they are written, until Ctrl-C', [
    'watch',
    'watch --type Sample --event EntityUpdated --json',
    'watch --filter \'actor == "user:ada"\' --after start',
  ])
    .option('-t, --type <type>', 'only events about entities of this type; repeatable', collected)
    .option('--event <type>', 'only events of this type, such as EntityCreated; repeatable', collected)
    .option('-f, --filter <cel>', 'only events for which this CEL expression is true')
    .addOption(choice('-o, --output <format>', '--json is the same as -o ndjson', ['text', 'ndjson']))
    .option('--after <token>', 'events after this token (`token` of --json); start: the whole log')
    .action(async (options: WatchOptions) => {
      const { api } = clientOf(session, options);
      const paint = paintFor(session.stdout, session);
      const variables = { types: options.event, entityTypes: options.type, filter: options.filter };
      // The end of the log is asked for first: what is written before a reconnection is not missed
      let after = options.after ?? String(member(await askGraphql(api, TOKEN), 'provenanceToken'));
      let attempts = 0;
      const ended = new Promise<'ended'>((resolve) => {
        session.onSignal(() => {
          resolve('ended');
        });
      });
      for (;;) {
        const events = subscribe(api.target, FEED, { ...variables, after });
        try {
          for (;;) {
            const next = await Promise.race([ended, events.next()]);
            if (next === 'ended') {
              void events.return().catch(() => undefined); // nobody reads it any more
              return;
            }
            if (next.done === true) throw new StreamRefused('the server has ended the feed');
            const item = member(next.value, 'provenanceEvents');
            const event = member(item, 'event');
            after = String(member(item, 'token'));
            attempts = 0;
            session.stdout.write(
              options.json === true || options.output === 'ndjson'
                ? `${JSON.stringify(item)}\n`
                : `${line(paint, event)}\n`,
            );
          }
        } catch (cause) {
          if (!(cause instanceof StreamRefused)) throw cause;
          if (++attempts > ATTEMPTS || cause.message.startsWith('refused'))
            throw new Failure(
              `the feed has ended: ${cause.message}; go on with --after ${after}`,
              { after },
              { cause },
            );
          await Promise.race([sleep(RESUME_MS), ended]);
        }
      }
    });

const EXPLAIN = `query Explain($type: String, $filter: String!, $orderBy: String, $asOf: DateTime) {
  explainFilter(entityType: $type, filter: $filter, orderBy: $orderBy, asOf: $asOf) {
    pushed left reasons indexes readsTable
  }
}`;

const EXPLAIN_AGGREGATE = `query Explain($type: String!, $filter: String, $groupBy: [String!]!, $of: [String!]!, $having: String, $asOf: DateTime) {
  explainAggregate(entityType: $type, filter: $filter, groupBy: $groupBy, of: $of, having: $having, asOf: $asOf) {
    pushed left reasons indexes readsTable
  }
}`;

interface ExplainOptions extends CommonOptions {
  readonly type?: string;
  readonly groupBy?: string;
  readonly of?: string;
  readonly having?: string;
  readonly orderBy?: string;
  readonly asOf?: string;
}

const namesIn = (list: string | undefined): string[] => list?.split(',').filter((name) => name !== '') ?? [];

async function explanation(api: Api, filter: string | undefined, options: ExplainOptions): Promise<unknown> {
  const { type, orderBy, asOf, having } = options;
  const isAggregate = [options.groupBy, options.of, having].some((given) => given !== undefined);
  if (!isAggregate) {
    if (filter === undefined)
      throw new UsageFailure('give a CEL expression, or an aggregate by --group-by or --of');
    return member(await askGraphql(api, EXPLAIN, { type, filter, orderBy, asOf }), 'explainFilter');
  }
  if (type === undefined || orderBy !== undefined)
    throw new UsageFailure('an aggregate needs --type, and takes no --order-by');
  const [groupBy, of] = [namesIn(options.groupBy), namesIn(options.of)];
  const variables = { type, filter, groupBy, of, having, asOf };
  return member(await askGraphql(api, EXPLAIN_AGGREGATE, variables), 'explainAggregate');
}

export const explainCommand = (session: Session): Command =>
  clientCommand('explain', 'tell how a filter or an aggregate is evaluated, and why it is slow', [
    "explain 'data.depth > 30 && size(data.siblings) > 0' --type Sample",
    "explain 'data.depth > 30' --type Sample --group-by tissue --of age",
  ])
    .argument('[cel]', 'CEL expression, as for "get --filter"')
    .option('-t, --type <type>', 'entity type to list')
    .option('--order-by <keys>', 'the order, as for "get"')
    .option('--group-by <fields>', 'of an aggregate: what it groups by, by comma')
    .option('--of <fields>', 'of an aggregate: what it measures, by comma')
    .option('--having <cel>', 'of an aggregate: which groups it shows')
    .option('--as-of <time>', 'as of that time')
    .action(async (filter: string | undefined, options: ExplainOptions) => {
      const { api, printer } = clientOf(session, options);
      const told = await explanation(api, filter, options);
      const listed = (name: string): string | undefined => {
        const all = member(told, name);
        return Array.isArray(all) && all.length > 0 ? all.join('; ') : undefined;
      };
      printer.answer(told, (paint) =>
        facts(paint, {
          'in the database': listed('pushed'),
          'entity by entity': listed('left'),
          because: listed('reasons'),
          indexes: listed('indexes') ?? 'none',
          'whole table': member(told, 'readsTable') === true ? 'is read' : 'is not read',
        }),
      );
    });
