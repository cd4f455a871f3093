// `cairn config` shows the configuration that a running platform has in force.
import type { Command } from 'commander';
import { member, rows } from '../api.ts';
import { clientCommand, clientOf } from '../command.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

export const configCommand = (session: Session): Command =>
  printsList(
    clientCommand(
      'config',
      'show the configuration in force, and where each value comes from; for administrators',
      ['config', 'config -o csv --columns key,value,source'],
    ),
  ).action(async (options: ListOptions) => {
    const { api } = clientOf(session, options);
    const answer = await api.call({ path: '/api/v1/gateway/configuration' });
    printList(session, options, {
      answer,
      items: rows(answer, 'settings'),
      columns: {
        KEY: 'key',
        VALUE: ({ value, hidden }) => (hidden === true && value === null ? '(hidden)' : value),
        SOURCE: 'source',
        PLACE: 'place',
      },
      footer: `from ${String(member(answer, 'file'))}`,
    });
  });
