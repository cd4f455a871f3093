// The gateway's own functions as a component beside the others: keys, sync events, scans, audit records, health,
// the current actor.
import { keptTexts } from '../../platform/kept-texts.ts';
import { contextsOver, type SubgraphModule } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import type { GatewayDeps } from './noun.ts';
import { GATEWAY_NOUNS, type GatewayContext } from './nouns.ts';

export function createGatewayComponent(deps: GatewayDeps): LocalComponent {
  const nouns: readonly SubgraphModule<GatewayDeps, object, GatewayContext>[] = GATEWAY_NOUNS;
  const contextOf = contextsOver(nouns, deps);
  return createLocalComponent({
    name: 'gateway',
    modules: nouns,
    context: (caller) => contextOf(caller, {}),
    isReady: async () => await deps.health.isReady(),
    log: deps.log,
    kept: keptTexts(deps.log),
  });
}
