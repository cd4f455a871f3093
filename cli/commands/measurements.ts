// `cairn measurements` shows what the processes of a running platform measured over some time.
import type { Command } from 'commander';
import { member, rows } from '../api.ts';
import { clientCommand, clientOf, wholeNumber } from '../command.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import type { Session } from '../session.ts';

interface Options extends ListOptions {
  readonly from?: string;
  readonly to?: string;
  readonly step?: number;
}

/** A row for each series and time that has a value. */
function valuesOf(answer: unknown): Record<string, unknown>[] {
  const times = member(answer, 'times');
  if (!Array.isArray(times)) return [];
  return rows(answer, 'series').flatMap(({ name, process, unit, values }) =>
    (Array.isArray(values) ? values : []).flatMap((value: unknown, i) =>
      value === null ? [] : [{ time: times[i] as unknown, name, process, value, unit }],
    ),
  );
}

export const measurementsCommand = (session: Session): Command =>
  printsList(
    clientCommand(
      'measurements',
      'show what the processes measured over some time, by default the last hour; for administrators',
      [
        'measurements runs_queued memory_bytes',
        'measurements --from 2026-01-31T00:00:00Z --to 2026-02-01T00:00:00Z --step 3600 -o csv',
      ],
    ),
  )
    .argument('[series...]', 'names of series (default: all)')
    .option('--from <time>', 'beginning of the time (default: an hour before its end)')
    .option('--to <time>', 'end of the time (default: now)')
    .option(
      '--step <seconds>',
      'seconds that become one value (default: 120 values)',
      wholeNumber(1, 2_147_483_647),
    )
    .action(async (series: string[], options: Options) => {
      const { api } = clientOf(session, options);
      const { from, to, step } = options;
      const answer = await api.call({
        path: '/api/v1/gateway/measurements',
        query: { ...(series.length === 0 ? {} : { name: series.join(',') }), from, to, step },
      });
      printList(session, options, {
        answer,
        items: valuesOf(answer),
        columns: { TIME: 'time', SERIES: 'name', PROCESS: 'process', VALUE: 'value', UNIT: 'unit' },
      });
    });
