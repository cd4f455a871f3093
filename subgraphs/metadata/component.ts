// Assembles the metadata subgraph as a component of this process.
import { keptTexts } from '../../platform/kept-texts.ts';
import { contextsOver } from '../../platform/subgraph-module.ts';
import { createLocalComponent, type LocalComponent } from '../../platform/subgraph.ts';
import { keepStoredInstants } from './entities/keep-stored-instants.ts';
import { type MetadataOptions, startFoundation } from './foundation.ts';
import { measureMetadata } from './metrics/metadata-gauges.ts';
import type { MetadataNoun } from './noun.ts';
import { METADATA_NOUNS, type MetadataContext } from './nouns.ts';
import { faultOf } from './status/status.store.ts';
import { TypedApi } from './typed/typed-api.ts';
import { TYPED_SDL, typedBaseResolvers, typedResolvers } from './typed/typed.resolvers.ts';

/**
 * @throws DomainError `validation_failed` if a configured validator's expression is invalid, or its module
 * cannot be loaded
 */
export async function createMetadataComponent(options: MetadataOptions): Promise<LocalComponent> {
  const foundation = await startFoundation(options);
  const { database, log, registry, indexes, clockAheadSeconds } = foundation;
  const nouns: readonly MetadataNoun<object, MetadataContext>[] = METADATA_NOUNS;
  const contextOf = contextsOver(nouns, { ...foundation, typedSchema: () => typed.current() });
  const component = createLocalComponent({
    name: 'metadata',
    modules: nouns,
    context: (caller) => contextOf(caller, { schemaVersion: String(registry.current().revision) }),
    isReady: async () => (await faultOf(database.pool, log, clockAheadSeconds)) === null,
    log,
    kept: keptTexts(log),
  });
  const extended = component.extended(TYPED_SDL, typedBaseResolvers);
  const typed: TypedApi = new TypedApi(registry.current, TYPED_SDL, (parts, types) =>
    extended(parts, typedResolvers(types)),
  );
  const endKeeping = keepStoredInstants(foundation);
  const endMeasuring = measureMetadata(database.pool, registry.current);
  return {
    ...component,
    extension: typed.current,
    // the typed part is a separate schema that extends this one: operations without it are answered by this
    // one
    prepare: (source, operationName) =>
      (TypedApi.isFor(source) ? typed : component).prepare(source, operationName),
    subscribe: (source, variables, caller, operationName) =>
      (TypedApi.isFor(source) ? typed : component).subscribe(source, variables, caller, operationName),
    async close() {
      endMeasuring();
      indexes.close();
      await endKeeping();
      await registry.close();
    },
  };
}
