// An entity as the client answers it, and how GraphQL is asked for one.
import type { Expansion } from './expansion.ts';

/** A typed record with what the platform knows of it (spec 2 «Entity»). */
export interface Entity<Data extends object = Record<string, unknown>> {
  readonly id: string;
  /** Its own type: a subtype of the one it was asked for by, maybe. */
  readonly entityType: string;
  readonly data: Data;
  /** Goes up by one with every change of data. */
  readonly version: number;
  /** ISO 8601, UTC, microseconds: kept as text, because a Date would lose them. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** False once it has been deleted or made unavailable. */
  readonly isAvailable: boolean;
  /** Null where it is shared by all projects. */
  readonly project: string | null;
  /** What is around it, where `expand` asked for it. */
  readonly expanded?: Expansion;
}

export const ENTITY = 'id entityType data version createdAt updatedAt isAvailable project';
export const EXPANDED = `${ENTITY} expanded(paths: $expand)`;

/** The id in `data`, where it may be as in REST, and the other fields. */
export function apart(
  data: object,
  given: string | undefined,
): { readonly id: string | undefined; readonly fields: Record<string, unknown> } {
  const { id, ...fields } = data as Record<string, unknown>; // any object is one of names and values
  return given === undefined && typeof id === 'string' ? { id, fields } : { id: given, fields: { ...data } };
}

/** A CEL literal of a text. */
export const celText = (text: string): string => JSON.stringify(text);
