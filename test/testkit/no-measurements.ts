// Measurements of a platform that keeps none.
import type { SystemMetrics } from '../../router/system-metrics/system-metrics.service.ts';

export const noMeasurements: SystemMetrics = {
  read: () => Promise.resolve({ from: '', step: 1, times: [], series: [], processes: [] }),
};
