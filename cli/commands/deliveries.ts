// `cairn deliveries` lists webhook deliveries whose run has failed, and delivers them again.
import type { Command } from 'commander';
import { member, route, rows } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { table } from '../output.ts';
import type { Session } from '../session.ts';

const runOf = (delivery: Record<string, unknown>): Record<string, unknown> =>
  (delivery['run'] ?? {}) as Record<string, unknown>; // the type of this member in the API

const list = (session: Session): Command =>
  clientCommand('list', 'list deliveries whose run has failed, latest first', [
    'deliveries list',
    'deliveries list --trigger run-finished',
  ])
    .option('--trigger <name>', 'to one webhook')
    .option('-n, --limit <n>', 'how many (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'continue where a list ended')
    .action(async (options: CommonOptions & { trigger?: string; limit?: number; cursor?: string }) => {
      const { api, printer } = clientOf(session, options);
      const failed = await api.call({
        path: '/api/v1/workflow/deliveries',
        query: { trigger: options.trigger, limit: options.limit, cursor: options.cursor },
      });
      printer.answer(failed, (paint) =>
        table(
          paint,
          ['DELIVERY', 'TRIGGER', 'RECEIVED', 'RUN', 'FAILED'],
          rows(failed, 'deliveries').map((d) => [
            d['delivery_id'],
            d['trigger'],
            d['received_at'],
            runOf(d)['run_id'],
            runOf(d)['finished_at'],
          ]),
        ),
      );
    });

const redeliver = (session: Session): Command =>
  clientCommand('redeliver', 'deliver again: the condition is asked again, and the action runs', [
    'deliveries redeliver 018f…',
  ])
    .argument('<id>', 'id of the delivery')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const again = await api.call({
        method: 'POST',
        path: route`/api/v1/workflow/deliveries/${id}/redeliver`,
      });
      printer.answer(again, () =>
        member(again, 'status') === 'accepted'
          ? `run ${String(member(again, 'run_id'))} is queued`
          : 'skipped: its condition is false now',
      );
    });

export const deliveriesCommand = (session: Session): Command =>
  group('deliveries', 'list webhook deliveries whose run has failed, deliver again', [
    list(session),
    redeliver(session),
  ]);
