// What of the configuration the engine runs by.
import type { Config } from '../../../platform/config/load-config.ts';
import type { WorkflowOptions } from './start-workflow.ts';

export const engineSettings = ({ workflow: { triggers, adapters, retention, resolution } }: Config): Pick<WorkflowOptions, 'triggers' | 'adapters' | 'retention' | 'artifactTimeoutMs'> => ({
  triggers, adapters, artifactTimeoutMs: resolution.artifactTimeoutSeconds * 1000,
  retention: { runs: retention.runsDays, firings: retention.firingsDays, observations: retention.observationsDays, deliveries: retention.deliveriesDays },
});

/** To the router: whether `cairn start workflow` runs the engine, and asks over HTTP; else the router's process does (docs/decisions/0021). */
export const runsApart = ({ workflow, components }: Config): boolean => workflow.router !== undefined && components.workflow.url !== undefined;
