// What a process tells of itself beside what Node does.
import { getHeapStatistics } from 'node:v8';
import { gauge } from './process-metrics.ts';
import { productVersion } from '../product-version.ts';

gauge('cairn_heap_limit_bytes', 'The most that the heap of JavaScript may become.', () => [
  { value: getHeapStatistics().heap_size_limit },
]);
gauge(
  'cairn_build_info',
  'Processes of this version.',
  () => [{ labels: { version: productVersion }, value: 1 }],
  { labels: ['version'] },
);
