// `cairn get` shows one entity by its id, its history, or a list of entities.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientOf, collected, conditions, wholeNumber } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { facts, type Paint } from '../output.ts';
import { ITEMS, readPages } from '../pages.ts';
import { ENTITY_TABLE, printHistory } from './entity-lists.ts';
import type { Session } from '../session.ts';

interface Options extends ListOptions {
  readonly type?: string;
  readonly where?: readonly string[];
  readonly filter?: string;
  readonly expand?: string;
  readonly history?: boolean;
  readonly includeUnavailable?: boolean;
  readonly limit?: number;
  readonly offset?: number;
  readonly orderBy?: string;
  readonly asOf?: string;
}

type Entity = Readonly<Record<string, unknown>>;

function details(paint: Paint, entity: Entity): string {
  const { data, ...rest } = entity;
  return `${facts(paint, rest)}\n${paint.dim('data')}\n${JSON.stringify(data, null, 2)}`;
}

export function getCommand(session: Session): Command {
  return pagedCommand('get', 'read one entity by id, or list entities', [
    'get sample:HG00096',
    'get sample:HG00096 --expand population --json',
    'get sample:HG00096 --history',
    'get --type Sample --where sex=female --where population=population:GBR --where population=population:FIN',
    'get --type Sample --all -o csv --columns id,data.sex,data.population',
    "get --type Sample --filter 'has(data.father) && size(data.siblings) > 0' --limit 20",
  ])
    .argument('[id]', 'id of an entity')
    .option('-t, --type <type>', 'list entities of this type')
    .option('-w, --where <field=value>', 'value that a field must have; may be repeated', collected)
    .option(
      '-f, --filter <cel>',
      'CEL expression over data, id, version, is_available, created_at, updated_at',
    )
    .option('-e, --expand <path>', 'related entities to include in the answer')
    .option('--history', "the entity's provenance events")
    .option('--include-unavailable', 'also list unavailable entities')
    .option('--as-of <time>', 'as it was, or they were, at that time')
    .option('--order-by <keys>', 'created_at, updated_at, id or data.<field>, by comma; - for descending')
    .option('-n, --limit <n>', 'entities in a page (default 100)', wholeNumber(1, 1000))
    .option('--offset <n>', 'entities to skip', wholeNumber(0, 2 ** 31))
    .action(async (id: string | undefined, options: Options) => {
      if ((id === undefined) === (options.type === undefined && options.filter === undefined))
        throw new UsageFailure('give the id of an entity, or --type or --filter to list entities');
      const { api, printer } = clientOf(session, options);
      if (id === undefined) {
        const entities = await readPages(
          api,
          {
            path: '/api/v1/metadata/entities',
            query: {
              ...conditions(options.where),
              entity_type: options.type,
              filter: options.filter,
              expand: options.expand,
              include_unavailable: options.includeUnavailable,
              as_of: options.asOf,
              order_by: options.orderBy,
              limit: options.limit ?? (options.all === true ? 1000 : undefined),
              offset: options.offset,
            },
          },
          ITEMS,
          options,
        );
        printList(session, options, {
          ...entities,
          columns: ENTITY_TABLE,
          footer: `${entities.items.length} of ${String(member(entities.answer, 'total'))}`,
        });
        return;
      }
      if (options.history === true) return printHistory(session, api, id, options);
      const query = { expand: options.expand, as_of: options.asOf };
      const { data: entity } = (await api.call({
        path: route`/api/v1/metadata/entities/${id}`,
        query,
      })) as { data: Entity }; // the envelope of an entity
      if (options.output === undefined || options.output === 'table')
        printer.answer(entity, (paint) => details(paint, entity));
      else printList(session, options, { answer: entity, items: [entity], columns: ENTITY_TABLE });
    });
}
