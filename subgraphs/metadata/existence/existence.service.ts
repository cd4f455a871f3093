// Checks whether declared entities exist, for the gateway's consistency scan
// (docs/reference/metadata.md#existence-of-many, docs/reference/gateway.md#consistency-scans).
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';

export interface ExpectedEntity {
  readonly entityType: string;
  readonly externalId: string;
}

export interface ExistenceDeps {
  readonly catalogue: () => SchemaCatalogue;
  readonly typesBehind: (names: readonly string[], identity: Identity) => Promise<readonly (string | null)[]>;
}

const MAX_IDS = 10_000;

export class ExistenceService {
  readonly #deps: ExistenceDeps;
  constructor(deps: ExistenceDeps) {
    this.#deps = deps;
  }

  /** Results by position. @throws DomainError `validation_failed` for more than 10,000 names */
  async arePresent(expected: readonly ExpectedEntity[], identity: Identity): Promise<boolean[]> {
    if (expected.length > MAX_IDS) throw invalid(`at most ${MAX_IDS} entities can be looked up at once`);
    const types = await this.#deps.typesBehind(
      expected.map(({ externalId }) => externalId),
      identity,
    );
    const catalogue = this.#deps.catalogue();
    return expected.map(({ entityType }, i) => {
      const type = types[i];
      return typeof type === 'string' && catalogue.isA(type, entityType);
    });
  }
}

/** The slice of the resolvers' context. */
export interface ExistenceSlice {
  readonly existence: ExistenceService;
}
