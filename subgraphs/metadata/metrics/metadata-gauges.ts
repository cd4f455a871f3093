// What of the stored metadata is measured when metrics are read.
import { AskedGauges } from '../../../platform/metrics/asked-gauges.ts';
import { gauge } from '../../../platform/metrics/process-metrics.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { feedLag } from '../change-feed/feed-followers.ts';
import type { SchemaCatalogue } from '../schema-model/schema-catalogue.ts';
import { readLogState } from './metadata-gauges.store.ts';

const gauges = new AskedGauges({
  cairn_log_position: {
    help: "The log's last position: how many events there have been, and some that were not written.",
  },
  cairn_entities: { help: 'Available entities, of all types and projects.' },
  cairn_feed_lag_events: { help: 'The most events that a follower of the change feed has before it.' },
});

let catalogue: (() => SchemaCatalogue) | undefined;

gauge(
  'cairn_schema_revision',
  'The revision of the schemas that the process knows.',
  () => (catalogue === undefined ? [] : [{ value: catalogue().revision }]),
  { together: 'max' },
);

/** Measures this component; returns a function that ends it. */
export function measureMetadata(db: Queryable, current: () => SchemaCatalogue): () => void {
  catalogue = current;
  const stop = gauges.follow(async () => {
    const { position, entities } = await readLogState(db);
    return {
      cairn_log_position: [{ value: position }],
      cairn_entities: [{ value: entities }],
      cairn_feed_lag_events: [{ value: feedLag(position) }],
    };
  });
  return () => {
    stop();
    if (catalogue === current) catalogue = undefined;
  };
}
