// `cairn sync` shows where components disagree, and compares them.
import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { member, route } from '../api.ts';
import { choice, clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { Failure } from '../failure.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { facts } from '../output.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

const BASE = '/api/v1/gateway/sync';

const list = (session: Session): Command =>
  pagedCommand('list', 'list sync events, newest first', ['sync list --status unresolved'])
    .addOption(choice('--status <status>', 'only events with this status', ['unresolved', 'resolved', 'all']))
    .option('-n, --limit <n>', 'events in a page (default 50)', wholeNumber(1, 500))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action(async (options: ListOptions & { status?: string; limit?: number; cursor?: string }) => {
      const { api } = clientOf(session, options);
      const { status, limit, cursor } = options;
      const events = await readPages(
        api,
        { path: `${BASE}/events`, query: { status, limit, cursor } },
        namedPage('events'),
        options,
      );
      printList(session, options, {
        ...events,
        columns: {
          EVENT: 'id',
          TYPE: 'event_type',
          SOURCE: 'source',
          ABOUT: 'source_id',
          CREATED: 'created_at',
          RESOLVED: 'resolved_at',
        },
        footer: moreBelow(events),
      });
    });

const resolve = (session: Session): Command =>
  clientCommand('resolve', 'mark a sync event as resolved', ['sync resolve sync_01 --note "loaded again"'])
    .argument('<id>', 'id of the event')
    .option('--note <text>', 'what was done')
    .action(async (id: string, options: CommonOptions & { note?: string }) => {
      const { api, printer } = clientOf(session, options);
      const event = await api.call({
        method: 'POST',
        path: `${BASE}${route`/events/${id}/resolve`}`,
        body: { note: options.note },
      });
      printer.answer(event, () => `${id} is resolved`);
    });

const scan = (session: Session): Command =>
  clientCommand('scan', 'compare what runs and productions declared with what metadata holds', [
    'sync scan',
  ]).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const started = await api.call({ method: 'POST', path: `${BASE}/scan` });
    const id = member(started, 'scan_id');
    for (;;) {
      const latest = await api.call({ path: `${BASE}/scan/latest` });
      if (member(latest, 'scan_id') !== id)
        throw new Failure(`scan ${String(id)} has been followed by another`, { scan_id: id });
      if (member(latest, 'status') !== 'started') {
        // `member` has read it
        printer.answer(latest, (paint) => facts(paint, latest as Record<string, unknown>));
        if (member(latest, 'status') === 'completed') return;
        throw new Failure(`the scan failed: ${String(member(latest, 'error'))}`, { scan_id: id });
      }
      await sleep(500);
    }
  });

export const syncCommand = (session: Session): Command =>
  group('sync', 'list and resolve sync events, compare components', [
    list(session),
    resolve(session),
    scan(session),
  ]);
