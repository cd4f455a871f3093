// Counts in this process how often data fields are filtered by ranges: a number in a map per request,
// collected at intervals.
import type { IndexKind } from '../schema-model/field-index.ts';
import type { RangedField } from '../filters/ranged-fields.ts';

/** How often a field of a type was filtered by a range. */
export interface FieldUse extends RangedField {
  readonly entityType: string;
  readonly uses: number;
}

/** Names come from requests: at most this many are counted between two collections. */
const MAX_FIELDS = 1000;

export class FieldUses {
  #counts = new Map<string, { entityType: string; field: string; kind: IndexKind; uses: number }>();

  count(entityType: string, { field, kind }: RangedField): void {
    const key = `${kind} ${entityType} ${field}`;
    const known = this.#counts.get(key);
    if (known) known.uses++;
    else if (this.#counts.size < MAX_FIELDS) this.#counts.set(key, { entityType, field, kind, uses: 1 });
  }

  /** The counts since the last collection. */
  take(): readonly FieldUse[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }
}
