// `cairn schemas` lists references without a valid target.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

interface FaultsOptions extends CommonOptions {
  readonly limit?: number;
  readonly cursor?: string;
}

const referenceFaults = (session: Session): Command =>
  clientCommand('reference-faults', 'references that lead nowhere, or to an entity of another type', [
    'schemas reference-faults Sample',
    'schemas reference-faults Sample --limit 1000 --json',
  ])
    .argument('<type>', 'entities of this type and its subtypes')
    .option('-n, --limit <n>', 'references in the list (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'go on after a page')
    .action(async (type: string, options: FaultsOptions) => {
      const { api, printer } = clientOf(session, options);
      const answer = member(
        await api.call({
          path: route`/api/v1/metadata/schemas/${type}/reference-faults`,
          query: { limit: options.limit, cursor: options.cursor },
        }),
        'data',
      );
      printer.answer(answer, (paint) => {
        const next = member(answer, 'next_cursor');
        const list = table(
          paint,
          ['ENTITY', 'TYPE', 'FIELD', 'REFERS TO', 'WHICH'],
          rows(answer, 'items').map((f) => [
            f['entity_id'],
            f['entity_type'],
            f['field'],
            f['target_id'],
            f['reason'] === 'missing'
              ? 'is not there'
              : `is a ${String(f['actual_entity_type'])}, no ${String(f['target_entity_type'])}`,
          ]),
        );
        return typeof next === 'string' ? `${list}\n${paint.dim(`more: --cursor ${next}`)}` : list;
      });
    });

export const schemasCommand = (session: Session): Command =>
  group('schemas', 'look after the entities of a type', [referenceFaults(session)]);
