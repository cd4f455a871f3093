// The outcomes of the rows of a bulk ingest, on their way to the client.
import type { ComponentExtensions } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import type { HeldBytes } from '../../platform/intake/byte-budget.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import { drained } from '../../platform/send-event-stream.ts';
import type { Envelope } from '../envelopes.ts';

/** Bytes of outcomes that wait for the end of the body; beyond, the answer begins before. */
const HELD_BYTES = 16 * 1024 * 1024;
/** Placeholder of the payload in its envelope. */
const PAYLOAD = '\u0000';

/** Collects outcomes, and sends them when there are too many to wait. */
export class Outcomes {
  readonly #ctx: RequestContext;
  readonly #held: HeldBytes;
  #texts: string[] = [];
  #bytes = 0;
  #isFirst = true;
  #full: DomainError | undefined;
  readonly counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };

  constructor(ctx: RequestContext, held: HeldBytes) {
    this.#ctx = ctx;
    this.#held = held;
  }

  add(outcome: Readonly<Record<string, unknown>>): void {
    const text = `${this.#isFirst ? '' : ','}${JSON.stringify(outcome)}`;
    this.#isFirst = false;
    this.#texts.push(text);
    this.#bytes += text.length;
    if (outcome['message'] !== undefined) this.counts.failed++;
    try {
      this.#held.take(text.length);
    } catch (thrown) {
      if (!(thrown instanceof DomainError)) throw thrown;
      this.#full = thrown; // what became of a row that is written has to be told: the next batch is not begun
    }
  }

  /** Why there is no room for more. */
  get full(): DomainError | undefined {
    return this.#full;
  }

  get isTooMuch(): boolean {
    return this.#bytes > HELD_BYTES;
  }

  /**
   * Sends what there is, and goes on when it was taken. Before the end nobody knows whether all rows will be
   * accepted, so that 200 cannot be said.
   */
  async flush(before: string, isEnd: boolean): Promise<void> {
    const { res } = this.#ctx;
    const text = this.#texts.join('');
    this.#texts = [];
    this.#bytes = 0;
    if (!res.headersSent) {
      res.writeHead(isEnd && this.counts.failed === 0 ? 200 : 207, {
        'content-type': 'application/json; charset=utf-8',
      });
      res.write(`${before}{"outcomes":[`);
    }
    if (text !== '' && !res.write(text)) await drained(res);
    this.#held.release();
    this.#full = undefined;
  }

  end(after: string): void {
    this.#ctx.res.end(`],${JSON.stringify(this.counts).slice(1)}${after}`);
  }
}

/** What stands before and after the payload of a response. */
export function around(
  envelope: Envelope,
  requestId: string,
  extensions: ComponentExtensions,
): readonly [string, string] {
  const [before = '', after = ''] = envelope.success(PAYLOAD, requestId, extensions).split(PAYLOAD);
  return [before, after];
}
