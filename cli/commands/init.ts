// `cairn init` prepares the store: its tables, and the first administrator's key.
import type { Command } from 'commander';
import { createLogger } from '../../platform/logger.ts';
import { serverConfig } from '../checked-config.ts';
import { localCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { facts, printerFor } from '../output.ts';
import { entryFunction } from '../server-process.ts';
import type { Session } from '../session.ts';
import { startFailure } from '../start-failure.ts';

interface Initialised {
  readonly adminKeyPath?: string;
}

export function initCommand(session: Session): Command {
  return localCommand(
    'init',
    'begin a new instance: tables, and the first administrator\'s key ("cairn start" does this itself in development)',
    ['init', 'init --config deploy/gateway.yaml'],
  ).action(async (options: { json?: boolean; config?: string }) => {
    const config = serverConfig(session, options.config);
    const log = createLogger({ mode: config.server.mode, level: config.observability.logLevel });
    const initialise = await entryFunction<Initialised>(session, 'router/main.ts', 'initPlatform');
    const { adminKeyPath } = await initialise({ config, log }).catch((cause: unknown) => {
      throw new Failure(`the store could not be initialised: ${startFailure(cause, config)}`, {}, { cause });
    });
    const store =
      config.database.url === undefined ? config.database.dataDir : 'the database at database.url';
    printerFor(session, options).answer(
      { initialised: true, store, admin_key_file: adminKeyPath ?? null },
      (paint) =>
        `${paint.green('initialised')}\n${facts(paint, { store: store, 'admin key': adminKeyPath })}`,
    );
  });
}
