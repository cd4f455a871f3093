// `cairn keys` manages the user's own API keys, or all of them for an administrator.
import type { Command } from 'commander';
import { ROLES } from '../../platform/identity.ts';
import { member, route, rows, wholeList } from '../api.ts';
import { choice, clientCommand, clientOf, type CommonOptions, group } from '../command.ts';
import { facts, type Paint, table } from '../output.ts';
import type { Session } from '../session.ts';

const BASE = '/api/v1/gateway/auth/api-keys';
type Key = Readonly<Record<string, unknown>>;

const withSecret = (paint: Paint, key: Key): string =>
  `${facts(paint, key)}\n${paint.yellow('The secret is shown this once and cannot be read again.')}`;

const create = (session: Session): Command =>
  clientCommand('create', 'make an API key; its secret is shown once', [
    'keys create --label laptop --role analyst',
    'keys create --label nightly-import --role service --project alpha --expires 2030-01-01T00:00:00Z',
  ])
    .requiredOption('--label <text>', 'what the key is for')
    .addOption(
      choice('--role <role>', 'what the key may do, at most what you may', ROLES).makeOptionMandatory(),
    )
    .option('--project <name>', 'restrict the key to one project')
    .option('--expires <time>', 'ISO 8601 time of its end')
    .option('--owner <actor>', 'for another user (administrators)')
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
  clientCommand('list', 'list API keys, without secrets', [
    'keys list',
    'keys list --all',
    'keys list --user user:ada --json',
  ])
    .option('--all', 'of all users (administrators)')
    .option('--user <actor>', 'of one user (administrators)')
    .action(async (options: CommonOptions & { all?: boolean; user?: string }) => {
      const { api, printer } = clientOf(session, options);
      const keys = await wholeList(
        api,
        { path: BASE, query: { all: options.all, user: options.user } },
        'keys',
      );
      printer.answer(keys, (paint) =>
        table(
          paint,
          ['ID', 'LABEL', 'ROLE', 'PROJECT', 'BY', 'EXPIRES', 'LAST USED', 'REVOKED'],
          rows(keys, 'keys').map((k) => [
            k['id'],
            k['label'],
            k['role'],
            k['project'],
            k['created_by'],
            k['expires'],
            k['last_used_at'],
            k['revoked'] === true ? 'yes' : 'no',
          ]),
        ),
      );
    });

const revoke = (session: Session): Command =>
  clientCommand('revoke', 'end an API key at once', ['keys revoke key_01 --reason "laptop lost"'])
    .argument('<id>', 'id of the key')
    .option('--reason <text>', 'kept with the key')
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
  clientCommand('rotate', 'replace an API key by a new one with the same rights', ['keys rotate key_01'])
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
    'make a new key that signs access tokens from now on (administrators); what is signed stays valid',
    ['keys rotate-signing'],
  ).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const made = await api.call({ method: 'POST', path: '/api/v1/gateway/auth/signing-keys/rotate' });
    printer.answer(made, () => `Access tokens are signed by ${String(member(made, 'kid'))} from now on.`);
  });

export const keysCommand = (session: Session): Command =>
  group('keys', 'make, list, revoke and rotate API keys; rotate the signing key', [
    create(session),
    list(session),
    revoke(session),
    rotate(session),
    rotateSigning(session),
  ]);
