// Requests and responses between the primary process and a worker, over their IPC channel.

/** One end of the channel: `process` in a worker, `cluster.Worker` in the primary. */
export interface Channel {
  send?(message: object, sent: (error: Error | null) => void): unknown;
  on(event: 'message' | 'disconnect', listener: (message: unknown) => void): unknown;
}

export type Handlers = Readonly<Record<string, (value: unknown) => Promise<unknown>>>;

export interface Calls {
  /**
   * The result of the other side's handler. Rejects with its error's message, when the channel closes, and
   * after the timeout if one is given.
   */
  call(name: string, value?: unknown, timeoutMs?: number): Promise<unknown>;
}

type Message =
  | { readonly cairn: 'ask'; readonly id: number; readonly name: string; readonly value: unknown }
  | { readonly cairn: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly cairn: 'failure'; readonly id: number; readonly message: string };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const isOurs = (message: unknown): message is Message =>
  typeof message === 'object' && message !== null && 'cairn' in message;

export function openCalls(channel: Channel, handlers: Handlers): Calls {
  const waiting = new Map<number, Waiting>();
  let ended = false;
  let last = 0;

  const send = (message: Message, failed: (error: Error) => void = () => undefined): void => {
    // if the response cannot be sent, nobody is waiting for it
    if (ended || channel.send === undefined) return failed(new Error('the process has ended'));
    channel.send(message, (error) => {
      if (error) failed(error);
    });
  };
  const answer = async (id: number, name: string, value: unknown): Promise<void> => {
    try {
      const handler = handlers[name];
      if (handler === undefined) throw new Error(`there is no handler for ${name}`);
      send({ cairn: 'answer', id, value: await handler(value) });
    } catch (cause) {
      send({ cairn: 'failure', id, message: cause instanceof Error ? cause.message : String(cause) });
    }
  };

  channel.on('message', (message) => {
    if (!isOurs(message)) return;
    if (message.cairn === 'ask') return void answer(message.id, message.name, message.value);
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.cairn === 'answer') asked?.resolve(message.value);
    else asked?.reject(new Error(message.message));
  });
  channel.on('disconnect', () => {
    ended = true;
    for (const asked of waiting.values()) asked.reject(new Error('the process has ended'));
    waiting.clear();
  });

  return {
    call: (name, value, timeoutMs) =>
      new Promise((resolve, reject) => {
        const id = ++last;
        const timer =
          timeoutMs === undefined
            ? undefined
            : setTimeout(() => {
                waiting.delete(id);
                reject(new Error(`${name} took longer than ${timeoutMs} ms`));
              }, timeoutMs);
        waiting.set(id, {
          resolve(answered) {
            clearTimeout(timer);
            resolve(answered);
          },
          reject(error) {
            clearTimeout(timer);
            reject(error);
          },
        });
        send({ cairn: 'ask', id, name, value }, (error) => {
          waiting.get(id)?.reject(error);
          waiting.delete(id);
        });
      }),
  };
}
