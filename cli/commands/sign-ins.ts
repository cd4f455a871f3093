// `cairn sign-ins` shows who is signed in with what, and ends it.
import type { Command } from 'commander';
import { member, route } from '../api.ts';
import { clientCommand, clientOf, type CommonOptions, group, wholeNumber } from '../command.ts';
import { type ListOptions, pagedCommand, printList } from '../list.ts';
import { moreBelow, namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

const BASE = '/api/v1/gateway/auth/sign-ins';

const endedText = (ended: unknown): string =>
  `${String(member(ended, 'actor'))}: ${String(member(ended, 'browsers'))} browsers and ${String(member(ended, 'tokens'))} sign-ins by tokens have ended`;

const list = (session: Session): Command =>
  pagedCommand(
    'list',
    'list sign-ins in use, newest first: those of one actor, or of all for administrators',
    ['sign-ins list --actor user:ada', 'sign-ins list --all -o csv'],
  )
    .option('--actor <actor>', 'those of this actor; others than you for administrators only')
    .option('-n, --limit <n>', 'sign-ins in a page (default 100)', wholeNumber(1, 1000))
    .option('--cursor <cursor>', 'cursor of an earlier list, to continue after it')
    .action(async (options: ListOptions & { actor?: string; limit?: number; cursor?: string }) => {
      const { api } = clientOf(session, options);
      const { actor, limit, cursor } = options;
      const signIns = await readPages(
        api,
        { path: BASE, query: { actor, limit, cursor } },
        namedPage('sign_ins'),
        options,
      );
      printList(session, options, {
        ...signIns,
        columns: {
          ID: 'id',
          ACTOR: 'actor',
          KIND: 'kind',
          CLIENT: 'client',
          KEY: 'key_id',
          SINCE: 'created_at',
          UNTIL: 'expires_at',
        },
        footer: moreBelow(signIns),
      });
    });

const end = (session: Session): Command =>
  clientCommand('end', 'end one sign-in; what has come of it is refused from then on', [
    'sign-ins end 01J9Z3',
  ])
    .argument('<id>', 'id of the sign-in')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const ended = await api.call({
        method: 'DELETE',
        path: route`/api/v1/gateway/auth/sign-ins/${id}`,
      });
      printer.answer(ended, () => endedText(ended));
    });

const endAll = (session: Session): Command =>
  clientCommand('end-all', 'sign somebody out everywhere; API keys stay', [
    'sign-ins end-all',
    'sign-ins end-all --actor user:ada',
  ])
    .option('--actor <actor>', 'the actor, if not you (administrators only)')
    .action(async (options: CommonOptions & { actor?: string }) => {
      const { api, printer } = clientOf(session, options);
      const ended = await api.call({ method: 'DELETE', path: BASE, query: { actor: options.actor } });
      printer.answer(ended, () => endedText(ended));
    });

export const signInsCommand = (session: Session): Command =>
  group('sign-ins', 'list and end sign-ins of browsers, devices and applications', [
    list(session),
    end(session),
    endAll(session),
  ]);
