// Assembles the command line: all commands, and the text of `cairn --help`.
import completion from '@bomb.sh/tab/commander';
import { Command } from 'commander';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '../platform/project-root.ts';
import { BASH_COMPLETION } from './bash-completion.ts';
import { auditCommand } from './commands/audit.ts';
import { backupCommand } from './commands/backup.ts';
import { cacheCommand } from './commands/cache.ts';
import { configCommand } from './commands/config.ts';
import { deleteCommand, relateCommand, updateCommand } from './commands/change.ts';
import { diffCommand } from './commands/diff.ts';
import { getCommand } from './commands/get.ts';
import { importCommand } from './commands/import.ts';
import { ingestCommand } from './commands/ingest.ts';
import { initCommand } from './commands/init.ts';
import { keysCommand } from './commands/keys.ts';
import { loginCommand } from './commands/login.ts';
import { measurementsCommand } from './commands/measurements.ts';
import { openCommand } from './commands/open.ts';
import { produceCommand } from './commands/produce.ts';
import { productionsCommand } from './commands/productions.ts';
import { filesCommand } from './commands/files.ts';
import { exportCommand } from './commands/export.ts';
import { queryCommand } from './commands/query.ts';
import { restoreCommand } from './commands/restore.ts';
import { rulesCommand } from './commands/rules.ts';
import { runsCommand } from './commands/runs.ts';
import { historyCommand, searchCommand } from './commands/search.ts';
import { schemasCommand } from './commands/schemas.ts';
import { startCommand } from './commands/start.ts';
import { healthCommand, whoamiCommand } from './commands/status.ts';
import { signInsCommand } from './commands/sign-ins.ts';
import { syncCommand } from './commands/sync.ts';
import { deliveriesCommand } from './commands/deliveries.ts';
import { triggersCommand } from './commands/triggers.ts';
import { usersCommand } from './commands/users.ts';
import { validateCommand } from './commands/validate.ts';
import { explainCommand, watchCommand } from './commands/watch.ts';
import { refreshCommand } from './commands/refresh.ts';
import { staleCommand } from './commands/stale.ts';
import { whyCommand } from './commands/why.ts';
import { jsonAnywhere, passJsonOn, takeFormats } from './command.ts';
import type { Session } from './session.ts';

const AFTER = `
Start here:
  $ cairn start                     start the server; prints the next steps
  $ cairn ingest samples.csv --type Sample
  $ cairn get --type Sample

"cairn <command> --help" shows a command's options and examples.
Exit status: 0 success, 1 failure, 2 wrong usage.`;

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
    .showHelpAfterError('(use --help to see options and examples)');
  for (const member of command.commands) settle(member, session);
  return command;
}

/** Adds `completion <shell>`, whose script asks the hidden command `complete`. */
function addCompletion(program: Command, { stdout }: Session): void {
  const scripts = completion(program, { completionCommandName: 'completion' });
  program.commands
    .find((command) => command.name() === 'completion')
    ?.action((shell: string) => {
      if (shell === 'bash') stdout.write(BASH_COMPLETION);
      else scripts.setup('cairn', 'cairn', shell);
    })
    .summary('print a script that completes commands and options in a shell')
    .addHelpText(
      'after',
      '\nExamples:\n  $ cairn completion bash > ~/.local/share/bash-completion/completions/cairn' +
        '\n  $ cairn completion zsh > ~/.zfunc/_cairn' +
        '\n  $ cairn completion fish > ~/.config/fish/completions/cairn.fish',
    );
}

export function programFor(session: Session): Command {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
    version: string;
  }; // our own file
  const program = new Command('cairn')
    .description(
      'Manage research data: entities, provenance, workflows and artifacts behind one GraphQL and REST gateway.',
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
    openCommand,
    validateCommand,
    usersCommand,
    loginCommand,
    keysCommand,
    signInsCommand,
    triggersCommand,
    deliveriesCommand,
    runsCommand,
    rulesCommand,
    schemasCommand,
    produceCommand,
    productionsCommand,
    cacheCommand,
    getCommand,
    searchCommand,
    historyCommand,
    diffCommand,
    watchCommand,
    explainCommand,
    queryCommand,
    exportCommand,
    importCommand,
    backupCommand,
    restoreCommand,
    filesCommand,
    ingestCommand,
    updateCommand,
    deleteCommand,
    relateCommand,
    syncCommand,
    auditCommand,
    whyCommand,
    staleCommand,
    refreshCommand,
    configCommand,
    measurementsCommand,
    healthCommand,
    whoamiCommand,
  ];
  for (const create of commands) program.addCommand(create(session));
  takeFormats(program);
  addCompletion(program, session);
  return settle(program, session);
}
