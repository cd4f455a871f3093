// Passes text of any length on to standard output as it comes.
import { once } from 'node:events';
import { type Readable, Writable } from 'node:stream';
import { Failure } from './failure.ts';
import type { Output } from './session.ts';

/** As fast as the other end takes it. @throws Failure where it breaks off */
export async function passThrough(body: Readable, stdout: Output, what: string): Promise<void> {
  body.setEncoding('utf8');
  try {
    for await (const text of body as AsyncIterable<string>)
      // by its encoding
      if (stdout.write(text) === false && stdout instanceof Writable) await once(stdout, 'drain');
  } catch (cause) {
    throw new Failure(`${what} broke off`, { error: 'export_failed' }, { cause });
  }
}
