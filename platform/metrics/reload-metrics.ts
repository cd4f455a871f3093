// Whether the configuration in use is the one that was asked for last. A start with a faulty one ends; a reload goes on.
import { gauge, ownRegistry } from './process-metrics.ts';

const NAME = 'cairn_config_reload_failed';
let hasFailed = false;

gauge(
  NAME,
  'From a reload that failed until the next that does not 1, otherwise 0.',
  () => [{ value: Number(hasFailed) }],
  { together: 'max' },
);

export const noteReload = (failed: boolean): void => {
  hasFailed = failed;
};

/** As of the process that reloads: its workers do not know. */
export const reloadSnapshot = async () => [await ownRegistry.getSingleMetric(NAME)?.get()];
