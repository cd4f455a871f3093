// `cairn keys` manages the user's own API keys, or all of them for an administrator.
import type { Command } from 'commander';
import { ROLES } from '../../platform/identity.ts';
import { member, route } from '../api.ts';
import { choice, clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { type ListOptions, printList, printsList } from '../list.ts';
import { facts, type Paint } from '../output.ts';
import { namedPage, readPages } from '../pages.ts';
import type { Session } from '../session.ts';

const BASE = '/api/v1/gateway/auth/api-keys';
type Key = Readonly<Record<string, unknown>>;

const withSecret = (paint: Paint, key: Key): string =>
  `${facts(paint, key)}\n${paint.yellow('The secret is shown only once and cannot be retrieved later.')}`;

const create = (session: Session): Command =>
  clientCommand('create', 'create an API key; its secret is shown once', [
    'keys create --label laptop --role analyst',
    'keys create --label nightly-import --role service --project alpha --expires 2030-01-01T00:00:00Z',
  ])
    .requiredOption('--label <text>', 'label that tells what the key is for')
    .addOption(choice('--role <role>', 'role of the key, at most your own', ROLES).makeOptionMandatory())
    .option('--project <name>', 'restrict the key to one project')
    .option('--expires <time>', 'time at which the key expires (ISO 8601)')
    .option('--owner <actor>', 'owner of the key, if not you (administrators only)')
    .action(
      async (
        options: CommonOptions & {
          label: string;
          role: string;
          project?: string;
          expires?: string;
          owner?: string;
        },
      ) => {
        const { api, printer } = clientOf(session, options);
        const { label, role, project, expires, owner } = options;
        const key = (await api.call({
          method: 'POST',
          path: BASE,
          body: { label, role, project, expires, owner },
        })) as Key; // printed unchanged
        printer.answer(key, (paint) => withSecret(paint, key));
      },
    );

const list = (session: Session): Command =>
  printsList(
    clientCommand('list', 'list API keys; secrets are not shown', [
      'keys list',
      'keys list --all',
      'keys list --user user:ada --json',
    ]),
  )
    .option('--all', 'list the keys of all users (administrators only)')
    .option('--user <actor>', 'list the keys of one user (administrators only)')
    .action(async (options: ListOptions & { user?: string }) => {
      const { api } = clientOf(session, options);
      const query = { all: options.all, user: options.user };
      const keys = await readPages(api, { path: BASE, query }, namedPage('keys'), { all: true });
      printList(session, options, {
        ...keys,
        columns: {
          ID: 'id',
          LABEL: 'label',
          ROLE: 'role',
          PROJECT: 'project',
          BY: 'created_by',
          EXPIRES: 'expires',
          'LAST USED': 'last_used_at',
          REVOKED: (key) => (key['revoked'] === true ? 'yes' : 'no'),
        },
      });
    });

const revoke = (session: Session): Command =>
  clientCommand('revoke', 'revoke an API key immediately', ['keys revoke key_01 --reason "laptop lost"'])
    .argument('<id>', 'id of the key')
    .option('--reason <text>', 'reason, recorded with the key')
    .action(async (id: string, options: CommonOptions & { reason?: string }) => {
      const { api, printer } = clientOf(session, options);
      const body = options.reason === undefined ? undefined : { reason: options.reason };
      const revoked = await api.call({
        method: 'DELETE',
        path: route`/api/v1/gateway/auth/api-keys/${id}`,
        body,
      });
      printer.answer(
        revoked,
        () => `${String(member(revoked, 'id'))} revoked at ${String(member(revoked, 'revoked_at'))}`,
      );
    });

const rotate = (session: Session): Command =>
  clientCommand('rotate', 'replace an API key with a new one that has the same rights', [
    'keys rotate key_01',
  ])
    .argument('<id>', 'id of the key')
    .action(async (id: string, options: CommonOptions) => {
      const { api, printer } = clientOf(session, options);
      const rotated = await api.call({
        method: 'POST',
        path: route`/api/v1/gateway/auth/api-keys/${id}/rotate`,
      });
      printer.answer(
        rotated,
        (paint) => `${withSecret(paint, member(rotated, 'new_key') as Key)}\n${id} is revoked.`,
      ); // printed unchanged
    });

const rotateSigning = (session: Session): Command =>
  clientCommand(
    'rotate-signing',
    'create a new signing key for access tokens (administrators only); issued tokens stay valid',
    ['keys rotate-signing'],
  ).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const made = await api.call({ method: 'POST', path: '/api/v1/gateway/auth/signing-keys/rotate' });
    printer.answer(made, () => `New access tokens are signed with key ${String(member(made, 'kid'))}.`);
  });

export const keysCommand = (session: Session): Command =>
  group('keys', 'create, list, revoke and rotate API keys; rotate the signing key', [
    create(session),
    list(session),
    revoke(session),
    rotate(session),
    rotateSigning(session),
  ]);
