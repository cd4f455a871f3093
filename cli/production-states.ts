// Waits for a production to end, and tells meanwhile what it does.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, member, route } from './api.ts';
import { printable } from './output.ts';
import type { Output } from './session.ts';

export type Production = Readonly<Record<string, unknown>>;

const POLL_MS = 500;

/** The lines of a log that were not in its former text. The API keeps the end of a log: it may begin later. */
export function newLines(before: string, now: string): string {
  if (now.startsWith(before)) return now.slice(before.length);
  for (let at = before.indexOf('\n') + 1; at > 0; at = before.indexOf('\n', at) + 1)
    if (now.startsWith(before.slice(at))) return now.slice(before.length - at);
  return now;
}

/**
 * Resolves when the production has ended, with what it is then. Writes each change of its state, and its log as
 * it grows.
 * @throws Failure as {@link Api.call}
 */
export async function followProduction(api: Api, id: string, progress: Output): Promise<Production> {
  let [status, log] = ['', ''];
  for (;;) {
    const production = (await api.call({ path: route`/api/v1/artifact/productions/${id}` })) as Production; // by the API
    const now = String(member(production, 'status'));
    if (now !== status) progress.write(`production ${id} is ${now}\n`);
    const said = production['log'];
    if (typeof said === 'string') {
      const more = newLines(log, said);
      if (more !== '') progress.write(`${printable(more.trimEnd())}\n`);
      log = said;
    }
    status = now;
    if (now !== 'queued' && now !== 'running') return production;
    await sleep(POLL_MS);
  }
}

/** Why a production has failed, with the last output of its tool. */
export function reasonOf(error: unknown): string {
  if (error === null) return '';
  const said = member(member(error, 'details'), 'stderr');
  return `: ${String(member(error, 'message'))}${typeof said === 'string' ? `\n${said}` : ''}`;
}
