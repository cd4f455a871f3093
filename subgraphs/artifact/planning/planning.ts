// The dependencies of resolution, from the configuration.
import type { Config } from '../../../platform/config/load-config.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { refusalReader } from '../reuse/reuse.service.ts';
import { imageNote } from '../runners/image-demands.ts';
import { networkNote } from '../runners/network.ts';
import type { ResolutionDeps } from './resolution.service.ts';
import { RuleBook } from './rule-book.ts';

export function planningDeps(
  pool: Queryable,
  ask: ResolutionDeps['ask'],
  { runner }: Pick<Config['artifact'], 'runner'>,
  publicUrl: () => string,
): Omit<ResolutionDeps, 'staleReasons' | 'isMadeOfStale'> {
  return {
    db: pool,
    ask,
    book: new RuleBook(pool),
    refusals: refusalReader(pool),
    publicUrl,
    runNote: ({ demands }) =>
      runner.type === 'cwltool'
        ? [imageNote(demands, runner), networkNote(demands, runner)]
            .filter((note) => note !== null)
            .join('; ') || null
        : null,
  };
}
