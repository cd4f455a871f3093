// `cairn validate` prints all faults of the configuration without starting anything.
import type { Command } from 'commander';
import path from 'node:path';
import { checkedConfig } from '../checked-config.ts';
import { localCommand } from '../command.ts';
import { facts, printerFor } from '../output.ts';
import type { Session } from '../session.ts';

export function validateCommand(session: Session): Command {
  return localCommand('validate', 'check the configuration, and list every fault with its path', [
    'validate',
    'validate --config deploy/gateway.yaml --json',
  ]).action((options: { json?: boolean; config?: string }) => {
    const printer = printerFor(session, options);
    const config = checkedConfig(session, options.config, (faults) => {
      if (printer.json) printer.answer({ valid: false, faults }, () => '');
    });
    const found = {
      file: path.relative(session.cwd, config.file) || config.file,
      mode: config.server.mode,
      listens: `${config.server.host}:${config.server.port}`,
      auth: config.auth.mode,
      database:
        config.database.url === undefined ? `embedded, in ${config.database.dataDir}` : 'at database.url',
      components: Object.entries(config.components).map(
        ([name, { url }]) => `${name}${url === undefined ? '' : ` at ${url}`}`,
      ),
      clients: config.auth.clients.length,
      triggers: config.workflow.triggers.length,
      adapters: config.workflow.adapters.length,
      rules: config.artifact.rules.length,
    };
    printer.answer(
      { valid: true, ...found },
      (paint) =>
        `${paint.green('valid')}\n${facts(paint, { ...found, components: found.components.join(', ') })}`,
    );
  });
}
