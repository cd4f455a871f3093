// A result that has been written already, on its way through a protocol that would write it in one go.
import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';

/** Texts between the protocol's writing a message and its sending it, which is done at once. */
const texts = new Map<string, string | Buffer>();

/** The end of a message whose payload stands for a text. */
const STANDS_FOR = /\{"text":"([\da-f-]{36})"\}\}$/;

export class WrittenResult implements ExecutionResult {
  /** What there is of it for the protocol. */
  readonly data: Record<string, unknown> = {};
  /** Whether there is data in it, or it is a refusal of the whole operation. */
  readonly hasRun: boolean;
  readonly #text: string | Buffer;

  constructor(text: string | Buffer, hasRun: boolean) {
    this.#text = text;
    this.hasRun = hasRun;
  }

  /** What stands for the text in the message. */
  toJSON(): { readonly text: string } {
    const name = randomUUID();
    texts.set(name, this.#text);
    return { text: name };
  }
}

/** The message as it is sent: the text in the place of what stands for it. */
export function messageOf(data: string): string | Buffer {
  const [stands, name] = STANDS_FOR.exec(data) ?? [];
  const text = name === undefined ? undefined : texts.get(name);
  if (stands === undefined || name === undefined || text === undefined) return data;
  texts.delete(name);
  const before = data.slice(0, -stands.length);
  return typeof text === 'string'
    ? `${before}${text}}`
    : Buffer.concat([Buffer.from(before), text, Buffer.from('}')]);
}
