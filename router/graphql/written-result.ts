// Passes a serialised result through a protocol that would serialise it in one go.
import { randomUUID } from 'node:crypto';
import type { ExecutionResult } from 'graphql';

/** Texts between the protocol's serialisation of a message and its sending, which follows at once. */
const texts = new Map<string, Text>();

interface Text {
  readonly text: string | Buffer;
  /** Called when it has been sent, or never will be. */
  readonly sent: () => void;
}

/** The end of a message whose payload is a placeholder for a text. */
const STANDS_FOR = /\{"text":"([\da-f-]{36})"\}\}$/;

export class WrittenResult implements ExecutionResult {
  /** The part that the protocol sees. */
  readonly data: Record<string, unknown> = {};
  /** Whether it contains data, or is a refusal of the whole operation. */
  readonly hasRun: boolean;
  readonly #text: Text;
  #isTaken = false;

  /** @param sent called when the text has been sent: until then it counts as memory */
  constructor(text: string | Buffer, hasRun: boolean, sent: () => void = () => undefined) {
    this.#text = { text, sent };
    this.hasRun = hasRun;
  }

  /** The protocol sends nothing to a client that has completed the operation meanwhile. */
  dropUnlessTaken(): void {
    if (!this.#isTaken) this.#text.sent();
  }

  /** The placeholder of the text in the message. */
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
  /** Called when it has been sent, or never will be. */
  readonly sent: () => void;
}

/** The message as it is sent: the text in place of its placeholder. */
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
