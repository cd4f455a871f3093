// Reads a password: twice and without echo at a terminal, else the first line of standard input.
import { createInterface } from 'node:readline';
import { text as readAll } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import { UsageFailure } from './failure.ts';
import type { Session } from './session.ts';

/** Reads one line at a terminal without echo. */
function typed(session: Session, prompt: string): Promise<string> {
  session.stderr.write(prompt);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: session.stdin, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => {
      session.stderr.write('\n');
      lines.close();
      session.abort(130);
    });
    lines.once('close', () => reject(new UsageFailure('no password was entered')));
    lines.question('', (line) => {
      session.stderr.write('\n');
      resolve(line);
      lines.close();
    });
  });
}

/** @throws UsageFailure where there is none, or the two entries differ */
export async function readPassword(session: Session, name: string): Promise<string> {
  if (session.stdin.isTTY !== true) {
    const [line = ''] = (await readAll(session.stdin)).split(/\r?\n/, 1);
    if (line === '') throw new UsageFailure('standard input contains no password');
    return line;
  }
  const first = await typed(session, `Password for ${name}: `);
  if (first !== (await typed(session, 'Repeat the password: ')))
    throw new UsageFailure('the two passwords differ');
  return first;
}
