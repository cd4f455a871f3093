// What of the artifact component's state is measured when metrics are read.
import { AskedGauges } from '../../../platform/metrics/asked-gauges.ts';
import type { Queryable } from '../../../platform/queryable.ts';
import { addUpStore, readArtifactState } from './artifact-gauges.store.ts';

const gauges = new AskedGauges({
  cairn_productions: { help: 'Productions that are queued or running.', labels: ['status'] },
  cairn_productions_oldest_queued_seconds: { help: 'Age of the oldest queued production.' },
  cairn_rule_book_revision: { help: 'The revision of the rules, which grows with each change of one.' },
  cairn_store_files: { help: 'Files in the artifact store.' },
  cairn_store_bytes: { help: 'Bytes of the files in the artifact store.' },
});

/** So many changes of the totals are read without being added up. */
const MAX_CHANGES = 100;

/** Measures the component; returns a function that ends it. */
export function measureArtifacts(db: Queryable): () => void {
  return gauges.follow(async () => {
    const state = await readArtifactState(db);
    if (state.changes > MAX_CHANGES) await addUpStore(db);
    return {
      cairn_productions: [
        { labels: { status: 'queued' }, value: state.queued },
        { labels: { status: 'running' }, value: state.running },
      ],
      cairn_productions_oldest_queued_seconds: [{ value: state.oldestSeconds }],
      cairn_rule_book_revision: [{ value: state.revision }],
      cairn_store_files: [{ value: state.files }],
      cairn_store_bytes: [{ value: state.bytes }],
    };
  });
}
