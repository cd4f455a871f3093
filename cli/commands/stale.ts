// `cairn stale` lists stale results, or tells whether one is still what would be produced, and what has changed.
import type { Command } from 'commander';
import { type Json, member, route, rows } from '../api.ts';
import { clientOf, wholeNumber } from '../command.ts';
import { UsageFailure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

interface StaleOptions extends ListOptions {
  readonly type?: string;
  readonly rule?: string;
  readonly filter?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly cursor?: string;
  readonly asOf?: string;
}

const pathOf = (via: unknown): string => (Array.isArray(via) ? via.join(' > ') : '');
const reasonsOf = (item: Json): readonly Json[] => rows(item['staleness'], 'reasons');

/** The first change, and how many others there are. */
function changeOf(item: Json): string {
  const [first, ...others] = reasonsOf(item);
  const message = typeof first?.['message'] === 'string' ? first['message'] : '';
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${message}${more}`;
}

const notKnownIn = (answer: unknown): readonly string[] => {
  const told = member(answer, 'not_known');
  return Array.isArray(told) ? told.map((one) => `not known: ${String(one)}`) : [];
};

async function showOne(session: Session, options: StaleOptions, id: string): Promise<void> {
  const { type, rule, filter, since, limit, cursor, all, asOf } = options;
  if ([type, rule, filter, since, limit, cursor, all].some((option) => option !== undefined))
    throw new UsageFailure(
      '--type, --rule, --filter, --since, --limit, --cursor and --all are for lists, without an id',
    );
  const { api } = clientOf(session, options);
  const answer = await api.call({
    path: route`/api/v1/artifact/staleness/${id}`,
    query: { as_of: asOf },
  });
  const items = rows(answer, 'reasons');
  const upTo = member(answer, 'is_complete') === true ? '' : ' as far as was looked at';
  const beside = [...(items.length === 0 ? [`nothing has changed${upTo}`] : []), ...notKnownIn(answer)];
  printList(session, options, {
    answer,
    items,
    columns: { KIND: 'kind', CHANGE: 'message', THROUGH: ({ via }) => pathOf(via) },
    footer: beside.length === 0 ? undefined : beside.join('\n'),
  });
}

async function list(session: Session, options: StaleOptions): Promise<void> {
  const { api } = clientOf(session, options);
  const { type, rule, filter, since, limit, cursor, asOf } = options;
  const found = await readPages(
    api,
    {
      path: '/api/v1/artifact/staleness',
      query: { entity_type: type, rule, filter, since, limit, cursor, as_of: asOf },
    },
    namedPage('items'),
    options,
  );
  const isBehind = member(found.answer, 'is_complete') === false;
  printList(session, options, {
    ...found,
    columns: { ENTITY: 'entity_id', TYPE: 'entity_type', SINCE: 'since', CHANGE: changeOf },
    footer: isBehind ? 'not all changes were looked at yet: ask again' : moreBelow(found),
  });
}

export const staleCommand = (session: Session): Command =>
  pagedCommand('stale', 'list stale results, or tell what has changed since one was produced', [
    'stale',
    'stale --type Statistics --all -o csv',
    'stale stats:HG00096',
  ])
    .argument('[id]', 'id of a produced entity')
    .option('--type <type>', 'only results of this entity type and its subtypes')
    .option('--filter <cel>', 'only results for which this CEL expression is true')
    .option('--rule <rule>', 'only results that this rule has made: a name, or name@version')
    .option('--since <time>', 'only results that became stale after it')
    .option('-n, --limit <n>', 'results in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .option('--as-of <time>', 'what was stale at that time')
    .action((id: string | undefined, options: StaleOptions) =>
      id === undefined ? list(session, options) : showOne(session, options, id),
    );
