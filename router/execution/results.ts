// Helpers for component results: their data as an object, and merged extensions.
import type { Budget } from '../../platform/budget/budget.ts';
import { parseJsonInTurns } from '../../platform/budget/parse-json.ts';
import type { ComponentExtensions, ComponentResult } from '../../platform/component.ts';
import type { Data } from './merge.ts';

/** The data of a result as an object; undefined if the request itself was refused. */
export async function plainData(
  result: ComponentResult,
  budget: Budget | undefined,
): Promise<Data | null | undefined> {
  if (result.texts === undefined) return result.data;
  const data: Data = {};
  for (const key in result.texts) data[key] = await parseJsonInTurns(result.texts[key] ?? 'null', budget);
  return data;
}

/**
 * Merges one component's extensions with those of others: warnings are concatenated, of versions the first is
 * kept.
 */
export function addExtensions(to: ComponentExtensions, from: ComponentExtensions | undefined): void {
  if (from === undefined) return;
  if (from.schemaVersion !== undefined) to.schemaVersion ??= from.schemaVersion;
  if (from.entityVersion !== undefined) to.entityVersion ??= from.entityVersion;
  if (from.nextCursor !== undefined) to.nextCursor ??= from.nextCursor;
  if (from.warnings !== undefined && from.warnings.length > 0)
    to.warnings = [...(to.warnings ?? []), ...from.warnings];
}
