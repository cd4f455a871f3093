// `cairn get` shows one entity by its id, its history, or a list of entities.
import type { Command } from 'commander';
import { member, route, rows, wholeData } from '../api.ts';
import { clientCommand, clientOf, collected, type CommonOptions, wholeNumber } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { facts, type Paint, table } from '../output.ts';
import type { Session } from '../session.ts';

interface Options extends CommonOptions {
  readonly type?: string;
  readonly where?: readonly string[];
  readonly filter?: string;
  readonly expand?: string;
  readonly history?: boolean;
  readonly includeUnavailable?: boolean;
  readonly limit?: number;
  readonly offset?: number;
}

type Entity = Readonly<Record<string, unknown>>;

function details(paint: Paint, entity: Entity): string {
  const { data, ...rest } = entity;
  return `${facts(paint, rest)}\n${paint.dim('data')}\n${JSON.stringify(data, null, 2)}`;
}

const list = (paint: Paint, entities: readonly Entity[]): string =>
  table(
    paint,
    ['ID', 'TYPE', 'VERSION', 'UPDATED', 'DATA'],
    entities.map((e) => [e['id'], e['entity_type'], e['version'], e['updated_at'], e['data']]),
  );

/**
 * Parses repeated `field=value` options: several values of one field are combined with "or", different fields
 * with "and".
 */
function conditions(where: readonly string[] = []): Record<string, string[]> {
  // fields may have any name
  const found: Record<string, string[]> = Object.create(null) as Record<string, string[]>;
  for (const condition of where) {
    const at = condition.indexOf('=');
    if (at < 1) throw new UsageFailure(`--where must be <field>=<value>, not "${condition}"`);
    (found[condition.slice(0, at)] ??= []).push(condition.slice(at + 1));
  }
  return found;
}

export function getCommand(session: Session): Command {
  return clientCommand('get', 'read entities: one by id, or a list', [
    'get sample:HG00096',
    'get sample:HG00096 --expand population --json',
    'get sample:HG00096 --history',
    'get --type Sample --where sex=female --where population=population:GBR --where population=population:FIN',
    "get --type Sample --filter 'has(data.father) && size(data.siblings) > 0' --limit 20",
  ])
    .argument('[id]', 'id of an entity')
    .option('-t, --type <type>', 'list entities of this type')
    .option('-w, --where <field=value>', "a field's value; again for others", collected)
    .option(
      '-f, --filter <cel>',
      'CEL expression over data, id, version, is_available, created_at, updated_at',
    )
    .option('-e, --expand <path>', 'take related entities along')
    .option('--history', "the entity's provenance events")
    .option('--include-unavailable', 'list unavailable entities too')
    .option('-n, --limit <n>', 'entities in the list (default 100)', wholeNumber(1, 1000))
    .option('--offset <n>', 'entities to pass over', wholeNumber(0, 2 ** 31))
    .action(async (id: string | undefined, options: Options) => {
      if ((id === undefined) === (options.type === undefined && options.filter === undefined))
        throw new UsageFailure('give either the id of an entity, or --type or --filter for a list');
      const { api, printer } = clientOf(session, options);
      if (id === undefined) {
        const data = member(
          await api.call({
            path: '/api/v1/metadata/entities',
            query: {
              ...conditions(options.where),
              entity_type: options.type,
              filter: options.filter,
              expand: options.expand,
              include_unavailable: options.includeUnavailable,
              limit: options.limit,
              offset: options.offset,
            },
          }),
          'data',
        );
        const items = rows(data, 'items');
        printer.answer(
          data,
          (paint) =>
            `${list(paint, items)}\n${paint.dim(`${items.length} of ${String(member(data, 'total'))}`)}`,
        );
      } else if (options.history === true) {
        const events = await wholeData(api, { path: route`/api/v1/metadata/entities/${id}/history` });
        printer.answer(events, (paint) =>
          table(
            paint,
            ['TIME', 'EVENT', 'ACTOR', 'PAYLOAD'],
            rows(events).map((e) => [e['timestamp'], e['event_type'], e['actor'], e['payload']]),
          ),
        );
      } else {
        const entity = member(
          await api.call({ path: route`/api/v1/metadata/entities/${id}`, query: { expand: options.expand } }),
          'data',
        );
        // The API returns an entity; facts() prints whatever fields there are.
        printer.answer(entity, (paint) => details(paint, entity as Entity));
      }
    });
}
