// `cairn diff` tells what differs between an entity at two times, or between two entities.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { clientCommand, clientOf } from '../command.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

interface DiffOptions extends ListOptions {
  readonly from?: string;
  readonly to?: string;
}

export const diffCommand = (session: Session): Command =>
  printsList(
    clientCommand('diff', 'tell what differs between an entity at two times, or between two entities', [
      'diff sample:HG00096 --from 2026-01-31T00:00:00Z',
      'diff sample:HG00096 sample:HG00097 -o json',
    ]),
  )
    .argument('<id>', 'id of an entity')
    .argument('[other]', 'id of the entity to compare it with; itself by default')
    .option('--from <time>', 'the first one as it was at that time; now by default')
    .option('--to <time>', 'the second one as it was at that time; now by default')
    .action(async (id: string, other: string | undefined, options: DiffOptions) => {
      const { api } = clientOf(session, options);
      const whole = await api.call({
        path: route`/api/v1/metadata/entities/${id}/diff`,
        query: { from: options.from, to: options.to, to_entity_id: other },
      });
      const answer = member(whole, 'data');
      const items = rows(answer, 'differences');
      const versionOf = (name: string): string => {
        const state = member(answer, name);
        return state === null ? 'none' : String(member(state, 'version'));
      };
      const versions = `${versionOf('before')} -> ${versionOf('after')}`;
      printList(session, options, {
        answer,
        items,
        columns: { FIELD: 'field', KIND: 'kind', BEFORE: 'before', AFTER: 'after' },
        footer: items.length === 0 ? `no field differs (version ${versions})` : `version ${versions}`,
      });
    });
