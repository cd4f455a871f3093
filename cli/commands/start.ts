// `cairn start` runs the platform, or some of its components, until it is stopped.
import { accessSync, constants } from 'node:fs';
import os from 'node:os';
import type { Command } from 'commander';
import { type Config, configFile } from '../../platform/config/load-config.ts';
import { ownerOfInstance } from '../../platform/given-to-owner.ts';
import { limitHeapGrowth } from '../../platform/heap-growth.ts';
import { createLogger } from '../../platform/logger.ts';
import { serverConfig } from '../checked-config.ts';
import { choice, localCommand } from '../command.ts';
import { Failure, UsageFailure } from '../failure.ts';
import { type ConfiguredBy, nextSteps, OWN_COMMAND } from '../next-steps.ts';
import { facts, type Paint, printerFor } from '../output.ts';
import { place, type Startable, STARTABLE } from '../placement.ts';
import {
  closeAll,
  closeInTime,
  entryFunction,
  reloadOnHangup,
  type Running,
  type ServerOptions,
  stopSignal,
} from '../server-process.ts';
import type { Session } from '../session.ts';
import { type Entrance, entranceTo, keyOf } from '../sign-in-link.ts';
import { archiveStarter } from '../start-archive.ts';
import { startFailure } from '../start-failure.ts';
import { configOptions } from '../target.ts';

type Entry = readonly [entry: string, name: string];

const WORKERS: Entry = ['router/main/workers/primary.ts', 'startWorkers'];

/**
 * Returns the entry module of a component and its start function; without a component, those of the whole
 * platform.
 */
function entryOf(component: string | undefined, { server }: Config): Entry {
  if (component !== undefined && component !== 'router')
    return [`standalone/${component}.ts`, 'startComponent'];
  if (server.workers > 1) return WORKERS;
  return ['router/main.ts', component === undefined ? 'startPlatform' : 'startRouter'];
}

interface Wanted {
  readonly component?: Startable;
  readonly config: Config;
}

const wantedOf = (names: readonly Startable[], config: Config): readonly Wanted[] =>
  names.length === 0 ? [{ config }] : place(names, config);

/** Productions, sources of workflows and checks of the sandbox keep files there. */
function assertTemporaryFolder(): void {
  const folder = os.tmpdir();
  try {
    accessSync(folder, constants.W_OK);
  } catch {
    throw new Failure(`the folder for temporary files, ${folder}, cannot be written to: set TMPDIR`);
  }
}

/** @throws Failure for root, where another account runs the instance */
function assertNotOfAnother({ database: { dataDir } }: Config): void {
  const owner = ownerOfInstance(dataDir);
  if (owner !== undefined)
    throw new Failure(
      `${dataDir} has the instance of another account (uid ${owner.uid}), whose server could not read what root's makes there: start it as that account, or give the folder to root (chown -R 0)`,
    );
}

async function startAll(
  session: Session,
  wanted: readonly Wanted[],
  options: ServerOptions,
): Promise<Running[]> {
  const running: Running[] = [];
  try {
    for (const { component, config } of wanted) {
      const [entry, name] = entryOf(component, config);
      const start = await entryFunction<Running>(session, entry, name);
      running.push(await start({ ...options, config }));
    }
  } catch (cause) {
    await closeAll(running);
    options.log.debug({ err: cause }, 'start failed');
    throw cause instanceof Failure
      ? cause
      : new Failure(`could not start: ${startFailure(cause, options.config)}`, {}, { cause });
  }
  return running;
}

interface Addresses {
  readonly url: string;
  readonly api: string;
  readonly console: string;
  readonly graphql: string;
  readonly docs?: string;
  readonly admin_key_file?: string;
}

const addressesOf = (config: Config, { url, adminKeyPath }: Running): Addresses => ({
  url,
  api: `${url}/api/v1/`,
  console: `${config.server.publicUrl ?? url}/console`,
  graphql: `${url}/graphql`,
  ...(config.server.docs ? { docs: `${url}/api/v1/docs` } : {}),
  ...(adminKeyPath === undefined ? {} : { admin_key_file: adminKeyPath }),
});

function welcome(
  paint: Paint,
  config: Config,
  by: ConfiguredBy,
  at: Addresses,
  { link, isKeyGone = false }: Entrance,
): string {
  const { admin_key_file: keyFile, ...others } = at;
  return [
    '',
    paint.bold('Cairn is ready.'),
    '',
    ...(link === undefined
      ? []
      : [
          `Open the console in a browser of this machine, signed in (once, within ten minutes; ${OWN_COMMAND} open prints a new link):`,
          '',
          `  ${paint.bold(link)}`,
          '',
        ]),
    ...(isKeyGone
      ? [
          `There is no link: ${keyFile} has no valid key. Sign in at the console; "${OWN_COMMAND} users add <name> --role admin" makes an account.`,
          '',
        ]
      : []),
    facts(paint, {
      console: at.console,
      API: at.api,
      [config.graphql.explorer ? 'GraphQL, explorer' : 'GraphQL']: at.graphql,
      docs: at.docs,
      'admin key':
        keyFile === undefined || isKeyGone ? undefined : `${keyFile} (the first administrator's API key)`,
    }),
    ...(config.auth.mode === 'disabled'
      ? [
          '',
          paint.yellow(
            'auth.mode is disabled: everyone who can reach this address has administrator rights.',
          ),
        ]
      : []),
    '',
    'Next steps, in another terminal:',
    ...nextSteps(paint, isKeyGone ? others : at, config, by),
    '',
    paint.dim('Press Ctrl-C to stop.'),
  ].join('\n');
}

/** The servers, each reloading with the part of a new configuration that it was started with. */
const reloadableOf = (
  names: readonly Startable[],
  wanted: readonly Wanted[],
  running: readonly Running[],
): Running[] =>
  running.map((server, i) => ({
    ...server,
    ...(server.reload === undefined
      ? {}
      : {
          reload: async (next: Config) =>
            server.reload?.(
              wantedOf(names, next).find(({ component }) => component === wanted[i]?.component)?.config ??
                next,
            ),
        }),
  }));

interface Started {
  readonly component: Startable;
  readonly url: string;
  readonly inside?: 'router';
}

function startedOf(
  names: readonly Startable[],
  wanted: readonly Wanted[],
  running: readonly Running[],
): readonly Started[] {
  const router = running.at(-1); // the router is last
  const inside = [...new Set(names)].filter((name) => !wanted.some(({ component }) => component === name));
  return [
    ...running.map(({ url }, i) => ({ component: wanted[i]?.component ?? 'router', url })),
    ...inside.map((component): Started => ({ component, url: router?.url ?? '', inside: 'router' })),
  ];
}

/** What a person reads of components that were started. */
export const startedText = (paint: Paint, started: readonly Started[]): string =>
  started
    .map(
      ({ component, url, inside }) =>
        `${paint.bold(component)} is ready at ${url}${inside === undefined ? '' : `, inside the router, because components.${component}.url is not set`}`,
    )
    .join('\n');

interface StartChoices {
  readonly json?: boolean;
  readonly config?: string;
  readonly logLevel?: string;
  readonly initialise?: boolean;
}

export function startCommand(session: Session): Command {
  const command = localCommand('start', 'start all components in one process, or only the named ones', [
    'start',
    'start metadata',
    'start router --config deploy/router.yaml',
  ]);
  const components = command
    .createArgument('[component...]', 'components to start (default: all)')
    .choices([...STARTABLE]);
  return command
    .addArgument(components)
    .addOption(
      choice('--log-level <level>', 'log level, overrides observability.log_level', [
        'trace',
        'debug',
        'info',
        'warn',
        'error',
        'fatal',
        'silent',
      ]),
    )
    .option('--initialise', 'begin a new instance where there is none, in production too')
    .action(async (names: Startable[], options: StartChoices) => {
      if (options.initialise === true && names.length > 0)
        throw new UsageFailure('--initialise is for all components together: run "cairn init" once');
      const config = serverConfig(session, options.config);
      const log = createLogger({
        mode: config.server.mode,
        level: options.logLevel ?? config.observability.logLevel,
      });
      const printer = printerFor(session, options);
      // From here on, a signal during the start waits for the start, then closes.
      const stop = stopSignal(session, log);
      limitHeapGrowth();
      assertTemporaryFolder();
      assertNotOfAnother(config);
      const startArchive = archiveStarter(session, config, log);
      const wanted = wantedOf(names, config);
      const starting = new AbortController();
      void stop.then(() => {
        starting.abort();
      });
      const running = await startAll(session, wanted, {
        config,
        log,
        signal: starting.signal,
        initialise: options.initialise === true,
      }).catch((fault: unknown) => {
        if (!starting.signal.aborted) throw fault;
        log.info('the server was stopped before it was ready');
      });
      if (running === undefined) return;
      const endArchive = await startArchive?.();
      const reloadable = reloadableOf(names, wanted, running);
      const hungUp = reloadOnHangup(session, log, reloadable, () => serverConfig(session, options.config));
      const [first] = running;
      if (names.length === 0 && first !== undefined) {
        const addresses = addressesOf(config, first);
        const entrance = await (printer.json ? keyOf : entranceTo)(addresses, { config, log });
        const { admin_key_file: _, ...withoutKey } = addresses;
        const by = {
          file: configFile(configOptions(session, options.config)),
          isPortGiven: Boolean(session.env['CAIRN_PORT']),
        };
        printer.answer(entrance.isKeyGone === true ? withoutKey : addresses, (paint) =>
          welcome(paint, config, by, addresses, entrance),
        );
      } else {
        const started = startedOf(names, wanted, running);
        printer.answer(started, (paint) => startedText(paint, started));
      }
      await Promise.race([stop, hungUp]);
      await Promise.all(running.map((server) => server.retire()));
      await endArchive?.();
      await closeInTime(running);
      log.info('stopped');
    });
}
