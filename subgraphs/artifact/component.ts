// Assembles the artifact subgraph as a component of this process.
import { answers } from '../../platform/queryable.ts';
import { keptTexts } from '../../platform/kept-texts.ts';
import { contextsOver } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { type ArtifactFoundation, type ArtifactOptions, createFoundation } from './foundation.ts';
import { measureArtifacts } from './metrics/artifact-gauges.ts';
import type { ArtifactNoun } from './noun.ts';
import { ARTIFACT_NOUNS, type ArtifactContext } from './nouns.ts';

export interface ArtifactComponent extends LocalComponent, Pick<ArtifactFoundation, 'begin'> {}

export function createArtifactComponent(options: ArtifactOptions): ArtifactComponent {
  const foundation = createFoundation(options);
  const { pool, productions, receiving } = foundation;
  const endMeasuring = measureArtifacts(pool);
  const nouns: readonly ArtifactNoun<object, ArtifactContext>[] = ARTIFACT_NOUNS;
  const contextOf = contextsOver(nouns, foundation);
  const component = createLocalComponent({
    name: 'artifact',
    modules: nouns,
    context: (caller) => contextOf(caller, {}),
    isReady: () => answers(pool),
    log: options.log,
    kept: keptTexts(options.log),
  });
  return {
    ...component,
    content: ({ hash, ...part }) => productions.storage.content(hash, part),
    receive: (part, content, caller, stop) => receiving.receiver.receive(part, content, caller, stop),
    begin: () => foundation.begin(),
    async close() {
      endMeasuring();
      await foundation.close();
      await component.close();
    },
  };
}
