// The shared base of the metadata subgraph's nouns: the scalars, and instants as moments of the log.
import { perOperation, readSdl } from '../../platform/subgraph-module.ts';
import { placeOf, writersDone } from './reading/timeline.store.ts';
import { instantsOf, Timeline, type TimeSlice } from './reading/timeline.ts';
import type { MetadataNoun } from './noun.ts';
import { ContextScalar, DateTimeScalar, JsonScalar } from './scalars.ts';
import { withinTime } from './within-time.ts';

export const scalars: MetadataNoun<TimeSlice> = {
  typeDefs: readSdl('subgraphs/metadata/scalars.graphql'),
  resolvers: { JSON: JsonScalar, DateTime: DateTimeScalar, ProvenanceContext: ContextScalar },
  permissions: {},
  services: ({ database: { pool, onServerChange } }) => {
    const timeline = new Timeline({
      placeOf: (instant) => placeOf(pool, instant),
      writersDone: () => withinTime(writersDone(pool)),
    });
    onServerChange(() => {
      timeline.forget();
    });
    return { timeline: perOperation(({ caller }) => instantsOf(timeline, caller)) };
  },
};
