// Assembles the command line: all commands, and the text of `cairn --help`.
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../platform/project-root.ts';
import { cacheCommand } from './commands/cache.ts';
import { getCommand } from './commands/get.ts';
import { ingestCommand } from './commands/ingest.ts';
import { initCommand } from './commands/init.ts';
import { keysCommand } from './commands/keys.ts';
import { loginCommand } from './commands/login.ts';
import { produceCommand, productionsCommand } from './commands/produce.ts';
import { queryCommand } from './commands/query.ts';
import { rulesCommand } from './commands/rules.ts';
import { runsCommand } from './commands/runs.ts';
import { schemasCommand } from './commands/schemas.ts';
import { startCommand } from './commands/start.ts';
import { deliveriesCommand } from './commands/deliveries.ts';
import { triggersCommand } from './commands/triggers.ts';
import { usersCommand } from './commands/users.ts';
import { validateCommand } from './commands/validate.ts';
import { jsonAnywhere, passJsonOn } from './command.ts';
import type { Session } from './session.ts';

const AFTER = `
Start here:
  $ cairn start                     everything in one process; prints what to do next
  $ cairn ingest samples.csv --type Sample
  $ cairn get --type Sample

"cairn <command> --help" shows a command's options and examples.
Exit status: 0 done, 1 failed, 2 called wrongly.`;

/** Makes usage errors and help throw a CommanderError, and prints to the session's streams. */
function settle(command: Command, session: Session): Command {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => {
        session.stdout.write(text);
      },
      writeErr: (text) => {
        session.stderr.write(text);
      },
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError('(add --help for options and examples)');
  for (const member of command.commands) settle(member, session);
  return command;
}

export function programFor(session: Session): Command {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  }; // our own file
  const program = new Command('cairn')
    .description(
      'Research data: entities, provenance, workflows and artifacts behind one GraphQL and REST gateway.',
    )
    .version(version, '-V, --version', 'print the version')
    .addOption(jsonAnywhere())
    .hook('preAction', (_, command) => {
      passJsonOn(command);
    })
    .addHelpText('after', AFTER);
  const commands = [
    startCommand,
    initCommand,
    validateCommand,
    usersCommand,
    loginCommand,
    keysCommand,
    triggersCommand,
    deliveriesCommand,
    runsCommand,
    rulesCommand,
    schemasCommand,
    produceCommand,
    productionsCommand,
    cacheCommand,
    getCommand,
    queryCommand,
    ingestCommand,
  ];
  for (const create of commands) program.addCommand(create(session));
  return settle(program, session);
}
