// Tells what an operation is based on (docs/reference/api-conventions.md#basis).
import type { Caller } from '../../../platform/identity.ts';
import { readInstant } from '../../../platform/past/past.ts';
import type { Instants } from '../reading/timeline.ts';

export interface Basis {
  /** Null for who does not see all projects: it would count what others write in them. */
  readonly position: string | null;
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
  async at(asOf: string | null, timeline: Instants, { projects }: Pick<Caller, 'projects'>): Promise<Basis> {
    const time = await this.#deps.passed(readInstant(asOf));
    const position = await timeline.position(time); // waited for also where it is not told: then the time is final
    return { position: projects === '*' ? position : null, time, schemaRevision: this.#deps.revision() };
  }
}

/** The slice of the resolvers' context. */
export interface BasisSlice {
  readonly basis: BasisService;
}
