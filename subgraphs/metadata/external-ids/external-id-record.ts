// An external id as it is stored.
export interface ExternalIdRecord {
  readonly id: string;
  readonly entityId: string;
  readonly idType: string;
  readonly externalId: string;
  readonly createdAt: string;
  readonly supersededAt: string | null;
  readonly supersededBy: string | null;
}

/** Which of an entity's records are meant. */
export type Standing = 'active' | 'superseded' | 'any';
