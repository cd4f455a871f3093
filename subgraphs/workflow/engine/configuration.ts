// Tells configurations apart: what was queued by one is worked by it, also while processes go over to another
// (docs/decisions/0024).
import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../platform/canonical-json.ts';
import type { Config } from '../../../platform/config/load-config.ts';

type Defined = Readonly<Record<string, unknown>>;

/**
 * Without the place in the file, and as JSON has it: a configuration that came from another process is the
 * same. Secrets are left out.
 */
const plain = (one: object): unknown => {
  const { origin: _, ...definition } = one as Defined; // whatever it is, its keys are looked at
  return JSON.parse(JSON.stringify(definition));
};

/** Equal for equal triggers and adapters, in whatever order. */
export function configurationOf({
  triggers,
  adapters,
}: Pick<Config['workflow'], 'triggers' | 'adapters'>): string {
  const texts = [...triggers, ...adapters].map((one) => canonicalJson(plain(one))).sort();
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex');
}
