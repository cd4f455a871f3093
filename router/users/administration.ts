// Local accounts for the administrative command: opens the store, with or without a running server. Its
// changes are audited.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { mayInitialise } from '../../platform/database/may-initialise.ts';
import { openDatabase } from '../../platform/database/open.ts';
import { givingToOwner } from '../../platform/given-to-owner.ts';
import { masked } from '../../platform/errors.ts';
import type { AuditLog } from '../edge/audit/audit-log.ts';
import type { AuditChange } from '../edge/audit/audit-record.ts';
import { operatorRecord } from '../edge/audit/operator.ts';
import { stdoutSink } from '../edge/audit/stdout-sink.ts';
import { openAuditLog } from '../edge/audit/open-audit-log.ts';
import { openCredentialInvalidation } from '../credential-invalidation/credential-invalidation.ts';
import { accountName, createUsers, type Users } from './users.service.ts';
import { createUserStore } from './users.store.ts';

export interface OpenUsersOptions {
  readonly config: Config;
  readonly log: Logger;
}

/**
 * The same, with a record of each change and refusal: the account of this machine, the action, the account
 * changed. Never a password.
 */
function audited(users: Users, audit: AuditLog | undefined): Users {
  const recorded = async <Result>(
    command: string,
    name: string,
    details: AuditChange['details'],
    work: () => Promise<Result>,
  ): Promise<Result> => {
    const startedAt = Date.now();
    const record = (status: number): void => {
      const change: AuditChange = {
        action: `user.${command}`,
        subject: `user:${accountName(name)}`,
        ...(details === undefined ? {} : { details }),
      };
      const endedAt = Date.now();
      audit?.record(
        operatorRecord({ path: `users ${command}`, status, startedAt, endedAt, changes: [change] }),
      );
    };
    try {
      const result = await work();
      record(200);
      return result;
    } catch (refusal) {
      record(masked(refusal).status);
      throw refusal;
    }
  };
  return {
    list: () => users.list(),
    add: (user) =>
      recorded('add', user.name, { roles: user.roles, projects: user.projects }, () => users.add(user)),
    disable: (name) => recorded('disable', name, undefined, () => users.disable(name)),
    enable: (name) => recorded('enable', name, undefined, () => users.enable(name)),
    changeRights: (name, rights) =>
      recorded('set', name, { ...rights }, () => users.changeRights(name, rights)),
    changePassword: (name, password) =>
      recorded('passwd', name, undefined, () => users.changePassword(name, password)),
  };
}

/** @throws DomainError `component_unavailable` without a usable store */
export async function openUsers({
  config,
  log,
}: OpenUsersOptions): Promise<Users & { close(): Promise<void> }> {
  const giveToOwner = givingToOwner(config);
  const database = await openDatabase({
    ...(config.database.url === undefined ? {} : { url: config.database.url }),
    dataDir: config.database.dataDir,
    binaries: config.database.binaries,
    applicationName: 'cairn users',
    poolSize: 2,
    log,
    mayInitialise: mayInitialise(config.server.mode),
  });
  const invalidation = await openCredentialInvalidation({ db: database.pool, listen: database.listen, log });
  const spread = async (id: string): Promise<void> => {
    await invalidation.joined(); // this process has just started and does not know its peers yet
    await invalidation.broadcast({ kind: 'all', id });
  };
  const settings = config.observability.auditLog;
  // standard output is the command's answer: audit lines go to standard error
  const audit = openAuditLog(
    settings,
    database.pool,
    log,
    settings.backend === 'stdout' ? stdoutSink(process.stderr) : undefined,
  );
  return {
    ...audited(createUsers(createUserStore(database.pool), spread), audit),
    async close() {
      await invalidation.close();
      await audit?.close();
      try {
        giveToOwner();
      } finally {
        await database.close();
      }
    },
  };
}
