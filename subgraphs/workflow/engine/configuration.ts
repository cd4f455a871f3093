// Identifies configurations: a run is worked with the one it was queued under, also during a reload
// (docs/decisions/0024).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Config } from '../../../platform/config/load-config.ts';

type Defined = Readonly<Record<string, unknown>>;

/**
 * Without the location in the file, and in JSON form, so that the same configuration in another process is
 * equal. Secrets are excluded.
 */
const plain = (one: object): unknown => {
  const { origin: _, ...definition } = one as Defined; // Only its keys are read.
  return JSON.parse(JSON.stringify(definition));
};

/** Equal for equal triggers and adapters, in any order. */
export function configurationOf({
  triggers,
  adapters,
}: Pick<Config['workflow'], 'triggers' | 'adapters'>): string {
  const texts = [...triggers, ...adapters].map((one) => canonicalJson(plain(one))).sort();
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
