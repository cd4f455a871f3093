// What a picture of a lineage knows of its boxes, and of how they are connected.
import type { Changes } from '../../address/address.tsx';

export interface Known {
  readonly id: string;
  readonly type: string;
  /** What is written in its box, and where that leads, where it is no entity. */
  readonly name?: string;
  readonly place?: { readonly to: string; readonly params: Changes };
}
/** Only at the time that is shown, or only at the other one. */
export type Change = 'added' | 'removed';

export interface Neighbour extends Known {
  /** Why they are connected: a field, a relationship, a rule. */
  readonly by: string;
  readonly change?: Change;
}
