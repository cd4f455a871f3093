// A component that gives no answer again and again is not asked for a moment, so that requests do not pile up in front of it
// (docs/reference/gateway.md#circuit-breaker).
import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleType } from 'cockatiel';
import { DomainError } from '../../platform/errors.ts';

/** Failures in a row, of requests that began when nothing was known. */
const FAILURES = 10;
/** Milliseconds after which one request tries again; with its success all are let through. */
const PAUSE_MS = 1000;

/** What counts against the component. */
class Failure extends Error {}

export class Circuit {
  readonly #name: string;
  readonly #policy = circuitBreaker(handleType(Failure), {
    halfOpenAfter: PAUSE_MS,
    breaker: new ConsecutiveBreaker(FAILURES),
  });

  constructor(name: string) {
    this.#name = name;
  }

  /** Whether the component is not asked now. */
  get isOpen(): boolean {
    return this.#policy.state === CircuitState.Open;
  }

  /**
   * Does the work, unless the component has failed too often.
   * @param counts whether what was thrown is a failure of the component
   * @throws DomainError `component_unavailable`; whatever the work throws
   */
  async run<T>(work: () => Promise<T>, counts: (thrown: unknown) => boolean): Promise<T> {
    try {
      return await this.#policy.execute(async () => {
        try {
          return await work();
        } catch (thrown) {
          throw counts(thrown) ? new Failure('a failure of the component', { cause: thrown }) : thrown;
        }
      });
    } catch (thrown) {
      if (thrown instanceof Failure) throw thrown.cause;
      if (!(thrown instanceof BrokenCircuitError)) throw thrown;
      throw new DomainError(
        'component_unavailable',
        `component ${this.#name} has given no answer ${FAILURES} times in a row: it is asked again within a second`,
        { component: this.#name, upstream_status: null },
        { cause: thrown },
      );
    }
  }
}

/** One for each component with an address. */
export class Circuits {
  readonly #byName = new Map<string, Circuit>();

  of(name: string): Circuit {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const made = new Circuit(name);
    this.#byName.set(name, made);
    return made;
  }

  isOpen(name: string): boolean {
    return this.#byName.get(name)?.isOpen === true;
  }

  /** 1 for each component that is not asked now, 0 for the others. */
  seen(): Readonly<Record<string, number>> {
    return Object.fromEntries([...this.#byName].map(([name, { isOpen }]) => [name, isOpen ? 1 : 0]));
  }
}
