// `cairn deliveries` lists webhook deliveries whose run has failed, and delivers them again.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

const runOf = (delivery: Record<string, unknown>): Record<string, unknown> =>
  (delivery['run'] ?? {}) as Record<string, unknown>; // the type of this member in the API

const list = (session: Session): Command =>
  pagedCommand('list', 'list webhook deliveries whose run failed, latest first', [
    'deliveries list',
    'deliveries list --trigger run-finished',
  ])
    .option('--trigger <name>', 'only deliveries to this webhook trigger')
    .option('-n, --limit <n>', 'deliveries in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action(async (options: ListOptions & { trigger?: string; limit?: number; cursor?: string }) => {
      const { api } = clientOf(session, options);
      const failed = await readPages(
        api,
        {
          path: '/api/v1/workflow/deliveries',
          query: { trigger: options.trigger, limit: options.limit, cursor: options.cursor },
        },
        namedPage('deliveries'),
        options,
      );
      printList(session, options, {
        ...failed,
        columns: {
          DELIVERY: 'delivery_id',
          TRIGGER: 'trigger',
          RECEIVED: 'received_at',
          RUN: (delivery) => runOf(delivery)['run_id'],
          FAILED: (delivery) => runOf(delivery)['finished_at'],
        },
        footer: moreBelow(failed),
      });
    });

const redeliver = (session: Session): Command =>
  clientCommand('redeliver', 'repeat a delivery: evaluate the condition again and run the action', [
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
          : 'skipped: the condition of the trigger is now false',
      );
    });

export const deliveriesCommand = (session: Session): Command =>
  group('deliveries', 'list webhook deliveries whose run failed, and repeat them', [
    list(session),
    redeliver(session),
  ]);
