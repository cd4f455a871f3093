// `cairn users` manages local accounts in the store of this machine's configuration, with or without a
// running server.
import type { Command } from 'commander';
import { ROLES } from '../../platform/identity.ts';
import { createLogger } from '../../platform/logger.ts';
import { serverConfig } from '../checked-config.ts';
import { collected, group, localCommand } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { facts, type Printer, printerFor, table } from '../output.ts';
import { readPassword } from '../read-password.ts';
import { entryFunction } from '../server-process.ts';
import type { Session } from '../session.ts';
import { isOneOf } from '../../platform/is-one-of.ts';

interface User {
  readonly name: string;
  readonly roles: readonly string[];
  readonly projects: '*' | readonly string[];
  readonly disabledAt: string | null;
  readonly createdAt: string;
}

/** The interface that `router/users/administration.ts` opens. */
interface Administration {
  add(user: Pick<User, 'name' | 'roles' | 'projects'> & { readonly password: string }): Promise<User>;
  list(): Promise<readonly User[]>;
  disable(name: string): Promise<User>;
  enable(name: string): Promise<User>;
  changeRights(name: string, rights: Partial<Pick<User, 'roles' | 'projects'>>): Promise<User>;
  changePassword(name: string, password: string): Promise<void>;
  close(): Promise<void>;
}

interface Options {
  readonly json?: boolean;
  readonly config?: string;
}

const ACCOUNT_ROLES = ROLES.filter((role) => role !== 'service');

const shown = ({ name, roles, projects, disabledAt, createdAt }: User): Record<string, unknown> => ({
  name,
  actor: `user:${name}`,
  roles,
  projects,
  created_at: createdAt,
  disabled_at: disabledAt,
});

/** Opens the store, runs `work`, and always closes the store. @throws Failure with the store's error */
async function administer(
  session: Session,
  options: Options,
  work: (users: Administration, printer: Printer) => Promise<void>,
): Promise<void> {
  const config = serverConfig(session, options.config);
  const open = await entryFunction<Administration>(session, 'router/users/administration.ts', 'openUsers');
  try {
    const users = await open({ config, log: createLogger({ mode: config.server.mode, level: 'warn' }) });
    try {
      await work(users, printerFor(session, options));
    } finally {
      await users.close();
    }
  } catch (cause) {
    // the bundle has a separate DomainError class, so the error is recognized by name
    if (!(cause instanceof Error) || cause.name !== 'DomainError') throw cause;
    throw new Failure(cause.message, 'code' in cause ? { error: cause.code } : {}, { cause });
  }
}

function role(text: string, before: readonly string[] = []): readonly string[] {
  if (!isOneOf(ACCOUNT_ROLES, text))
    throw new UsageFailure(`--role must be one of ${ACCOUNT_ROLES.join(', ')}`);
  return [...before, text];
}

const add = (session: Session): Command =>
  localCommand('add', 'create a local account; its password is prompted for, or read from standard input', [
    'users add ada --role analyst --project alpha --project beta',
    'users add root --role admin',
    'users add bob --role viewer --all-projects < password.txt',
  ])
    .argument('<name>', 'user name; the user acts as user:<name>')
    .option(
      '--role <role>',
      `role of the user: ${ACCOUNT_ROLES.join(', ')} (default: viewer); may be repeated`,
      role,
    )
    .option('--project <name>', 'project of the user; may be repeated', collected)
    .option('--all-projects', 'give access to every project, as administrators always have')
    .action(
      async (
        name: string,
        options: Options & { role?: readonly string[]; project?: readonly string[]; allProjects?: boolean },
      ) => {
        const { role: roles = ['viewer'], project: projects = [], allProjects = false } = options;
        if (allProjects && projects.length > 0)
          throw new UsageFailure('give --project or --all-projects, not both');
        const password = await readPassword(session, name);
        await administer(session, options, async (users, printer) => {
          const user = await users.add({
            name,
            password,
            roles,
            projects: allProjects || roles.includes('admin') ? '*' : projects,
          });
          printer.answer(shown(user), (paint) => facts(paint, shown(user)));
        });
      },
    );

const list = (session: Session): Command =>
  localCommand('list', 'list local accounts', ['users list', 'users list --json']).action(
    (options: Options) =>
      administer(session, options, async (users, printer) => {
        const all = (await users.list()).map(shown);
        printer.answer({ users: all }, (paint) =>
          table(
            paint,
            ['NAME', 'ROLES', 'PROJECTS', 'CREATED', 'DISABLED'],
            all.map((user) =>
              [user['name'], user['roles'], user['projects'], user['created_at'], user['disabled_at']].map(
                (value) => (Array.isArray(value) ? value.join(', ') || '-' : value),
              ),
            ),
          ),
        );
      }),
  );

const disable = (session: Session): Command =>
  localCommand('disable', 'disable an account and end its sessions, tokens and API keys', [
    'users disable ada',
  ])
    .argument('<name>', 'user name')
    .action((name: string, options: Options) =>
      administer(session, options, async (users, printer) => {
        const user = await users.disable(name);
        printer.answer(
          shown(user),
          () => `${user.name} is disabled; the sessions, tokens and API keys of the account have ended.`,
        );
      }),
    );

const enable = (session: Session): Command =>
  localCommand('enable', 'enable a disabled account; its old tokens and API keys stay revoked', [
    'users enable ada',
  ])
    .argument('<name>', 'user name')
    .action((name: string, options: Options) =>
      administer(session, options, async (users, printer) => {
        const user = await users.enable(name);
        printer.answer(
          shown(user),
          () => `${user.name} may sign in again; the old tokens and API keys stay revoked.`,
        );
      }),
    );

const set = (session: Session): Command =>
  localCommand(
    'set',
    'change the roles or projects of an account; the user must sign in again, and API keys with more rights are revoked',
    [
      'users set ada --role project_lead',
      'users set ada --project alpha --project gamma',
      'users set ada --role viewer --all-projects',
    ],
  )
    .argument('<name>', 'user name')
    .option(
      '--role <role>',
      `new role, replaces the current ones: ${ACCOUNT_ROLES.join(', ')}; may be repeated`,
      role,
    )
    .option('--project <name>', 'new project, replaces the current ones; may be repeated', collected)
    .option('--all-projects', 'give access to every project')
    .option('--no-projects', 'remove all projects')
    .action(
      async (
        name: string,
        options: Options & {
          role?: readonly string[];
          project?: readonly string[];
          allProjects?: boolean;
          projects?: boolean;
        },
      ) => {
        const { role: roles, project, allProjects = false, projects: some = true } = options;
        if ([project !== undefined, allProjects, !some].filter(Boolean).length > 1)
          throw new UsageFailure('give only one of --project, --all-projects and --no-projects');
        const named = some ? project : [];
        const projects = allProjects ? '*' : named;
        if (roles === undefined && projects === undefined)
          throw new UsageFailure(
            'nothing to change: give --role, --project, --all-projects or --no-projects',
          );
        await administer(session, options, async (users, printer) => {
          const user = await users.changeRights(name, {
            ...(roles === undefined ? {} : { roles }),
            ...(projects === undefined ? {} : { projects }),
          });
          printer.answer(shown(user), (paint) => facts(paint, shown(user)));
        });
      },
    );

const passwd = (session: Session): Command =>
  localCommand('passwd', 'change the password; sessions and tokens of the account end', [
    'users passwd ada',
    'users passwd ada < password.txt',
  ])
    .argument('<name>', 'user name')
    .action(async (name: string, options: Options) => {
      const password = await readPassword(session, name);
      await administer(session, options, async (users, printer) => {
        await users.changePassword(name, password);
        printer.answer({ name, changed: true }, () => `The password of ${name} was changed.`);
      });
    });

export const usersCommand = (session: Session): Command =>
  group('users', 'create, list, change, disable and enable local accounts', [
    add(session),
    list(session),
    set(session),
    disable(session),
    enable(session),
    passwd(session),
  ]);
