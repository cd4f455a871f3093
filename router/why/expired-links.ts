// Tells where a chain goes on to what retention has deleted, so that it does not end there as at its beginning. That depends
// on times and on what is not shown alone: what is hidden and what has been deleted look the same.
import {
  type CausalLink,
  type CausalNode,
  concerns,
  isOf,
  type LinkQuestion,
  retentionKey,
} from '../../platform/causal-links.ts';
import type { RememberedLinks } from './remember-links.ts';

/** The link from a node to what stands for deleted ones; @param far as of `WalkedLinks.expired` */
export function expiredLink(
  near: CausalNode,
  far: string | null,
  direction: LinkQuestion['direction'],
  sources: readonly Pick<RememberedLinks, 'component' | 'keptSince'>[],
): CausalLink | null {
  for (const { component, keptSince } of sources) {
    const since = keptSince();
    const gone = retentionKey(component);
    if (since === undefined || near.at === null || near.at >= since || near.key === gone) continue;
    if (direction === 'FORWARD') {
      if (far === null && concerns(component, near.key, direction))
        return { cause: near.key, effect: gone, kind: 'EXPIRED' };
    } else if (far !== null && isOf(component, far))
      return { cause: gone, effect: near.key, kind: 'EXPIRED' };
  }
  return null;
}
