// `cairn audit` shows who did what on the instance.
import type { Command } from 'commander';
import { clientOf, wholeNumber } from '../command.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

interface Options extends ListOptions {
  readonly actor?: string;
  readonly request?: string;
  readonly method?: string;
  readonly path?: string;
  readonly minStatus?: number;
  readonly maxStatus?: number;
  readonly action?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

const status = wholeNumber(0, 999);

export const auditCommand = (session: Session): Command =>
  pagedCommand('audit', 'list audit records, newest first; for administrators', [
    'audit --actor user:ada --since 2026-01-01T00:00:00Z',
    'audit --action api_key --all -o csv',
    'audit --min-status 400 --path /api/v1/metadata',
  ])
    .option('--actor <actor>', 'only requests of this actor')
    .option('--request <id>', 'only the request with this id')
    .option('--method <method>', 'only this method; CLI for commands of the operator')
    .option('--path <prefix>', 'only paths that begin with this text')
    .option('--min-status <status>', 'only this status or a higher one', status)
    .option('--max-status <status>', 'only this status or a lower one', status)
    .option(
      '--action <action>',
      'only requests that made such a change: api_key.create, or api_key for all of that kind',
    )
    .option('--since <time>', 'only from this instant on')
    .option('--until <time>', 'only before this instant')
    .option('-n, --limit <n>', 'records in a page (default 50)', wholeNumber(1, 500))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action(async (options: Options) => {
      const { api } = clientOf(session, options);
      const { actor, method, action, since, until, limit, cursor } = options;
      const records = await readPages(
        api,
        {
          path: '/api/v1/gateway/audit',
          query: {
            actor,
            request_id: options.request,
            method,
            path_prefix: options.path,
            min_status: options.minStatus,
            max_status: options.maxStatus,
            action,
            since,
            until,
            limit,
            cursor,
          },
        },
        namedPage('records'),
        options,
      );
      printList(session, options, {
        ...records,
        columns: {
          TIME: 'timestamp',
          ACTOR: 'actor',
          METHOD: 'method',
          PATH: 'path',
          STATUS: 'status',
          REQUEST: 'request_id',
          CHANGES: 'changes',
        },
        footer: moreBelow(records),
      });
    });
