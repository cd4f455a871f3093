// `cairn why` shows what brought something about, or what it brought about.
import type { Command } from 'commander';
import { clientOf, wholeNumber } from '../command.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

interface Options extends ListOptions {
  readonly forward?: boolean;
  readonly depth?: number;
  readonly asOf?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

export const whyCommand = (session: Session): Command =>
  pagedCommand('why', 'show what brought something about, or what it brought about, nearest first', [
    'why entity:sample:HG00096',
    'why field:sex:sample:HG00096',
    'why version:3:sample:HG00096 --forward',
    'why run:5f0c... --depth 2 -o json',
  ])
    .argument(
      '<subject>',
      'entity:<id>, version:<n>:<id>, field:<name>:<id>, event:<time>, run:<id>, tick:<trigger>@<time>, poll:<trigger>@<time>, delivery:<id>, internal_event:<event>@<run>, stale_result:<trigger>@<since>, production:<id>, plan:<hash>, rule:<name>@<n>, document:<hash>, file:<hash>, request:<id>',
    )
    .option('--forward', 'what it brought about')
    .option('--depth <n>', 'links to follow (default 5)', wholeNumber(1, 50))
    .option('--as-of <time>', 'what the chain was at that time')
    .option('-n, --limit <n>', 'nodes in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action(async (subject: string, options: Options) => {
      const { api } = clientOf(session, options);
      const { forward = false, depth, asOf, limit, cursor } = options;
      const direction = forward ? 'forward' : undefined;
      const nodes = await readPages(
        api,
        { path: '/api/v1/gateway/why', query: { subject, direction, depth, as_of: asOf, limit, cursor } },
        namedPage('nodes'),
        options,
      );
      printList(session, options, {
        ...nodes,
        columns: { DEPTH: 'depth', KIND: 'kind', NAME: 'name', TIME: 'at', ACTOR: 'actor', KEY: 'key' },
        footer: moreBelow(nodes),
      });
    });
