// A caller with some members changed. All others stay, also those that there will be one day: nobody copies them by name.
import type { Caller, Identity } from './identity.ts';

type Members = Omit<Caller, 'signal'>;
/** What is changed; undefined takes a member away. */
export type CallerChanges = { readonly [Member in keyof Members]?: Members[Member] | undefined };

/** The signal is made when somebody looks at it, because most requests end before: so it is never copied. */
class DerivedCaller {
  readonly #signal: () => AbortSignal | undefined;

  constructor(from: Identity, changes: CallerChanges, signal: () => AbortSignal | undefined) {
    this.#signal = signal;
    const own = this as Record<string, unknown>; // its members are those of what it is made of
    for (const [source, kept] of [
      [from, changes],
      [changes, undefined],
    ] as const)
      for (const name of Object.keys(source)) {
        if (name === 'signal' || (kept !== undefined && Object.hasOwn(kept, name))) continue;
        const value: unknown = source[name as keyof typeof source]; // a key of it
        if (value !== undefined) own[name] = value;
      }
  }

  get signal(): AbortSignal | undefined {
    return this.#signal();
  }
}

/** The caller of a request that the identity makes. */
export const callerOf = (
  identity: Identity,
  request: CallerChanges & Pick<Caller, 'requestId'>,
  signal: () => AbortSignal | undefined,
): Caller => new DerivedCaller(identity, request, signal) as unknown as Caller; // what it has of an identity and a request is one

/** The caller with what is changed; with its signal, unless another one is given. */
export const callerWith = (
  caller: Caller,
  changes: CallerChanges,
  signal: () => AbortSignal | undefined = () => caller.signal,
): Caller => new DerivedCaller(caller, changes, signal) as unknown as Caller; // likewise

/** The caller of an operation whose instant is settled; of the present for undefined. */
export const callerAsOf = (caller: Caller, asOf: string | undefined): Caller =>
  callerWith(caller, { asOf, wantsBasis: undefined });
