// A result that has been written already, on its way through a protocol that would write it in one go.
import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';

/** Texts between the protocol's writing a message and its sending it, which is done at once. */
const texts = new Map<string, Text>();

interface Text {
  readonly text: string | Buffer;
  /** Called when it is away, or never will be. */
  readonly sent: () => void;
}

/** The end of a message whose payload stands for a text. */
const STANDS_FOR = /\{"text":"([\da-f-]{36})"\}\}$/;

export class WrittenResult implements ExecutionResult {
  /** What there is of it for the protocol. */
  readonly data: Record<string, unknown> = {};
  /** Whether there is data in it, or it is a refusal of the whole operation. */
  readonly hasRun: boolean;
  readonly #text: Text;
  #isTaken = false;

  /** @param sent is called when the text has been sent: until then it takes memory */
  constructor(text: string | Buffer, hasRun: boolean, sent: () => void = () => undefined) {
    this.#text = { text, sent };
    this.hasRun = hasRun;
  }

  /** The protocol sends nothing to a client that has completed the operation meanwhile. */
  dropUnlessTaken(): void {
    if (!this.#isTaken) this.#text.sent();
  }

  /** What stands for the text in the message. */
  toJSON(): { readonly text: string } {
    this.#isTaken = true;
    const name = randomUUID();
    texts.set(name, this.#text);
    return { text: name };
  }
}

/** A message as it is sent. */
export interface Message {
  readonly data: string | Buffer;
  /** To be called when it is away, or never will be. */
  readonly sent: () => void;
}

/** The message as it is sent: the text in the place of what stands for it. */
export function messageOf(data: string): Message {
  const [stands, name] = STANDS_FOR.exec(data) ?? [];
  const known = name === undefined ? undefined : texts.get(name);
  if (stands === undefined || name === undefined || known === undefined)
    return { data, sent: () => undefined };
  texts.delete(name);
  const { text, sent } = known;
  const before = data.slice(0, -stands.length);
  return {
    data:
      typeof text === 'string'
        ? `${before}${text}}`
        : Buffer.concat([Buffer.from(before), text, Buffer.from('}')]),
    sent,
  };
}
