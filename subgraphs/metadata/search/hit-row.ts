// An entity that a search found, as the store reads it.
import type { EntityRow } from '../reading/entity-record.ts';
/** `found`: how many were ranked, one more than may be where there were more. */
export interface HitRow extends EntityRow {
  readonly score: string;
  readonly found: string;
  readonly position: string;
}
