// Tells what an operation is based on (docs/reference/api-conventions.md#basis).
import { readInstant } from '../../../platform/past/past.ts';
import type { Instants } from '../reading/timeline.ts';

export interface Basis {
  readonly position: string;
  readonly time: string;
  readonly schemaRevision: string;
}

export interface BasisDeps {
  /** The instant if it has passed, or else the present one; that for null, too. */
  readonly passed: (instant: string | null) => Promise<string>;
  readonly revision: () => string;
}

export class BasisService {
  readonly #deps: BasisDeps;

  constructor(deps: BasisDeps) {
    this.#deps = deps;
  }

  /**
   * An instant that has passed is final, so that what is read as of it later is the same: one that has not means now.
   * @throws DomainError `validation_failed`
   */
  async at(asOf: string | null, timeline: Instants): Promise<Basis> {
    const time = await this.#deps.passed(readInstant(asOf));
    return { position: await timeline.position(time), time, schemaRevision: this.#deps.revision() };
  }
}

/** The slice of the resolvers' context. */
export interface BasisSlice {
  readonly basis: BasisService;
}
