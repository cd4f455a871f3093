// Whether declared entities are there: what the gateway's consistency scan asks (spec 1 «Events» 1).
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';

export interface ExpectedEntity {
  readonly entityType: string;
  readonly externalId: string;
}

export interface PresencePorts {
  readonly catalogue: () => SchemaCatalogue;
  readonly typesBehind: (names: readonly string[], identity: Identity) => Promise<readonly (string | null)[]>;
}

const MOST = 10_000;

export class PresenceService {
  readonly #ports: PresencePorts;
  constructor(ports: PresencePorts) {
    this.#ports = ports;
  }

  /** By position. @throws DomainError `validation_failed` for more than 10,000 at once */
  async arePresent(expected: readonly ExpectedEntity[], identity: Identity): Promise<boolean[]> {
    if (expected.length > MOST) throw invalid(`at most ${MOST} entities can be asked about at once`);
    const types = await this.#ports.typesBehind(
      expected.map(({ externalId }) => externalId),
      identity,
    );
    const catalogue = this.#ports.catalogue();
    return expected.map(({ entityType }, i) => {
      const type = types[i];
      return typeof type === 'string' && catalogue.isA(type, entityType);
    });
  }
}
