// Counts, in this process, how often ranges over data fields are asked: a number in a map for each request,
// and now and then taken away.
import type { IndexKind } from '../filters/field-index.ts';
import type { RangedField } from '../filters/ranged-fields.ts';

/** How often a range over a field was asked of a type. */
export interface FieldUse extends RangedField {
  readonly entityType: string;
  readonly uses: number;
}

/** Names come from requests: more than these between two times are not counted. */
const MAX_FIELDS = 1000;

export class FieldUses {
  #counts = new Map<string, { entityType: string; field: string; kind: IndexKind; uses: number }>();

  count(entityType: string, { field, kind }: RangedField): void {
    const key = `${kind} ${entityType} ${field}`;
    const known = this.#counts.get(key);
    if (known) known.uses++;
    else if (this.#counts.size < MAX_FIELDS) this.#counts.set(key, { entityType, field, kind, uses: 1 });
  }

  /** What has been counted since the last time. */
  take(): readonly FieldUse[] {
    const taken = [...this.#counts.values()];
    this.#counts = new Map();
    return taken;
  }
}
