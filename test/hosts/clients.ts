// Clients of a deployment that note what they were answered, and when: writers of entities, which read back what they
// have written; some that store files; and a follower of the feed.
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/src/index.ts';

const WRITERS = 12;
const FILERS = 2;
/** A client waits no longer than the balancer does (deploy/haproxy-hosts.cfg). */
const TIMEOUT_MS = 75_000;
const AGAIN_MS = 50;
const FILE_BYTES = 20_000;

interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface Noted {
  /** Of entities whose creation was acknowledged: the value of each, and when that was. */
  readonly written: Map<string, { readonly n: number; readonly at: number }>;
  /** Of entities with a file that was acknowledged: its hash. */
  readonly stored: Map<string, string>;
  /** Ids of created entities as they came over the feed. */
  readonly followed: string[];
  /** What no client may be answered. */
  readonly wrong: string[];
  /** The request that took longest. */
  longest: { readonly ms: number; readonly what: string };
  /** Requests that were repeated, by why. */
  readonly repeated: Map<string, number>;
}

export class Clients {
  readonly noted: Noted = {
    written: new Map(),
    stored: new Map(),
    followed: [],
    wrong: [],
    longest: { ms: 0, what: '' },
    repeated: new Map(),
  };
  readonly #url: string;
  readonly #key: string;
  /** No more is begun. */
  readonly #enough = new AbortController();
  readonly #over = new AbortController();
  readonly #done: Promise<unknown>;
  #n = 0;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
    const following = this.#follow();
    this.#done = Promise.all([
      ...Array.from({ length: WRITERS }, (_, i) => this.#write(`writer-${i}`)),
      ...Array.from({ length: FILERS }, (_, i) => this.#store(`filer-${i}`)),
    ]).then(async () => {
      while (this.noted.followed.length < this.noted.written.size && !this.#over.signal.aborted)
        await sleep(AGAIN_MS);
      this.#over.abort();
      await following;
    });
  }

  /** Resolves when what was under way is answered, and the follower has seen everything. */
  async end(withinMs: number): Promise<void> {
    this.#enough.abort();
    const late = sleep(withinMs, undefined, { signal: this.#over.signal, ref: false }).then(
      () => {
        this.noted.wrong.push(`after ${withinMs} ms clients or the follower still wait`);
        this.#over.abort();
      },
      () => undefined, // they have ended
    );
    await Promise.all([this.#done, late]);
  }

  /** Undefined where there was none: the request may have been executed, or not. */
  async #ask(
    method: string,
    target: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<Answer | undefined> {
    const begun = performance.now();
    let outcome = 'no answer';
    try {
      const answer = await fetch(this.#url + target, {
        method,
        signal: AbortSignal.any([this.#over.signal, AbortSignal.timeout(TIMEOUT_MS)]),
        headers: {
          'x-api-key': this.#key,
          ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body }),
      });
      const text = await answer.text();
      outcome = String(answer.status);
      return { status: answer.status, text };
    } catch {
      return undefined;
    } finally {
      const ms = Math.round(performance.now() - begun);
      if (ms > this.noted.longest.ms)
        this.noted.longest = { ms, what: `${method} ${target.split('?')[0]}: ${outcome}` };
    }
  }

  /** Repeats a request as clients do: after what says that it may be repeated, and after no answer. */
  async #surely(
    method: string,
    target: string,
    body?: string | Uint8Array<ArrayBuffer>,
  ): Promise<string | undefined> {
    while (!this.#over.signal.aborted) {
      const answer = await this.#ask(method, target, body);
      if (answer !== undefined && answer.status < 300) return answer.text;
      const why = answer === undefined ? 'no answer' : String(answer.status);
      this.noted.repeated.set(why, (this.noted.repeated.get(why) ?? 0) + 1);
      if (answer !== undefined && ![502, 503, 504].includes(answer.status)) {
        this.noted.wrong.push(`${method} ${target}: ${answer.status} ${answer.text.slice(0, 300)}`);
        return undefined;
      }
      await sleep(AGAIN_MS);
    }
    return undefined;
  }

  #ingest(type: string, id: string, data: object): Promise<string | undefined> {
    return this.#surely('POST', '/api/v1/metadata/ingest', JSON.stringify({ entity_type: type, id, data }));
  }

  async #write(name: string): Promise<void> {
    for (let i = 0; !this.#enough.signal.aborted; i++) {
      const [id, n] = [`${name}:${i}`, ++this.#n];
      if ((await this.#ingest('Thing', id, { n })) === undefined) continue;
      this.noted.written.set(id, { n, at: performance.now() });
      const read = await this.#surely('GET', `/api/v1/metadata/entities/${id}`);
      if (read === undefined) continue;
      const { data } = JSON.parse(read) as { data: { data: { n: number }; version: number } }; // of our own API
      if (data.data.n !== n || data.version !== 1)
        this.noted.wrong.push(`${id} was acknowledged with ${n}, and is read as ${read.slice(0, 300)}`);
    }
  }

  async #store(name: string): Promise<void> {
    for (let i = 0; !this.#enough.signal.aborted; i++) {
      const id = `${name}:${i}`;
      if ((await this.#ingest('Report', id, {})) === undefined) continue;
      const content = new Uint8Array(randomBytes(FILE_BYTES));
      const hash = createHash('sha256').update(content).digest('hex');
      const target = `/api/v1/artifact/files/${hash}?name=${i}&entity_id=${id}&field=uri`;
      if ((await this.#surely('PUT', target, content)) !== undefined) this.noted.stored.set(id, hash);
      await sleep(AGAIN_MS);
    }
  }

  async #follow(): Promise<void> {
    const feed = createClient({ url: this.#url, apiKey: this.#key }).events({
      after: 'start',
      eventTypes: ['EntityCreated'],
      entityTypes: ['Thing'],
      signal: this.#over.signal,
    });
    try {
      for await (const { event } of feed)
        if (event.entityId !== null) this.noted.followed.push(event.entityId);
    } catch (fault) {
      if (!this.#over.signal.aborted) this.noted.wrong.push(`the feed has ended: ${String(fault)}`);
    }
  }
}

/** Milliseconds without an acknowledged write, at most, from `since` until `until`. */
export function outage({ written }: Noted, since: number, until: number): number {
  const times = [...written.values()].map(({ at }) => at).filter((at) => at > since && at < until);
  const all = [since, ...times.sort((a, b) => a - b), until];
  return Math.round(Math.max(...all.slice(1).map((at, i) => at - (all[i] ?? at))));
}
