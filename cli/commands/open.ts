// `cairn open` prints a link that opens the console signed in.
import type { Command } from 'commander';
import { clientCommand, clientOf, type CommonOptions } from '../command.ts';
import type { Session } from '../session.ts';
import { signInLink } from '../sign-in-link.ts';

export function openCommand(session: Session): Command {
  return clientCommand(
    'open',
    'print a link that opens the console in a browser of this machine, signed in',
    ['open', 'open --url http://127.0.0.1:9090'],
  ).action(async (options: CommonOptions) => {
    const { api, printer } = clientOf(session, options);
    const link = await signInLink(api);
    printer.answer(link, (paint) =>
      [
        paint.bold(link.url),
        paint.dim(
          `opens the console as ${link.actor}, once, within ${link.expires_in / 60} minutes, on this machine`,
        ),
      ].join('\n'),
    );
  });
}
