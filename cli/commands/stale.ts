// `cairn stale` tells whether a produced entity is still what would be produced, and what has changed.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { clientCommand, clientOf } from '../command.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

const pathOf = (via: unknown): string => (Array.isArray(via) ? via.join(' > ') : '');

export const staleCommand = (session: Session): Command =>
  printsList(
    clientCommand(
      'stale',
      'tell whether a produced entity is still what would be produced, and what has changed since',
      ['stale stats:HG00096', 'stale stats:HG00096 -o json'],
    ),
  )
    .argument('<id>', 'id of a produced entity')
    .option('--as-of <time>', 'whether it was at that time')
    .action(async (id: string, options: ListOptions & { asOf?: string }) => {
      const { api } = clientOf(session, options);
      const answer = await api.call({
        path: route`/api/v1/artifact/staleness/${id}`,
        query: { as_of: options.asOf },
      });
      const items = rows(answer, 'reasons');
      const upTo = member(answer, 'is_complete') === true ? '' : ' as far as was looked at';
      printList(session, options, {
        answer,
        items,
        columns: { KIND: 'kind', CHANGE: 'message', THROUGH: ({ via }) => pathOf(via) },
        footer: items.length === 0 ? `nothing has changed${upTo}` : undefined,
      });
    });
