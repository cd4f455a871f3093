// Small truths about component results: their data as an object, and what several of them say together.
import type { Budget } from '../../platform/budget/budget.ts';
import { parseJsonInTurns } from '../../platform/budget/parse-json.ts';
import type { ComponentExtensions, ComponentResult } from '../../platform/component.ts';
import type { Data } from './merge.ts';

/**
 * The data of a result as an object, whichever way it came; undefined where the request itself was refused.
 */
export async function plainData(
  result: ComponentResult,
  budget: Budget | undefined,
): Promise<Data | null | undefined> {
  if (result.texts === undefined) return result.data;
  const data: Data = {};
  for (const key in result.texts) data[key] = await parseJsonInTurns(result.texts[key] ?? 'null', budget);
  return data;
}

/** Puts one component's extensions beside those of others: warnings add up, of versions the first stays. */
export function addExtensions(to: ComponentExtensions, from: ComponentExtensions | undefined): void {
  if (from === undefined) return;
  if (from.schemaVersion !== undefined) to.schemaVersion ??= from.schemaVersion;
  if (from.entityVersion !== undefined) to.entityVersion ??= from.entityVersion;
  if (from.nextCursor !== undefined) to.nextCursor ??= from.nextCursor;
  if (from.warnings !== undefined && from.warnings.length > 0)
    to.warnings = [...(to.warnings ?? []), ...from.warnings];
}
