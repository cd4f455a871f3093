// What of the configuration the engine runs by.
import type { Config } from '../../../platform/config/load-config.ts';
import type { ConfiguredTrigger } from '../triggers/trigger-definition.ts';
import { configurationOf } from './configuration.ts';
import type { WorkflowOptions } from './start-workflow.ts';

/** The triggers; their runs say by which configuration they were queued. */
export function configuredTriggers({ workflow }: Config): readonly ConfiguredTrigger[] {
  const configuration = configurationOf(workflow);
  return workflow.triggers.map((trigger) => ({ ...trigger, configuration }));
}

type Settings = Required<
  Pick<WorkflowOptions, 'triggers' | 'adapters' | 'configuration' | 'retention' | 'artifactTimeoutMs'>
>;

export function engineSettings(config: Config): Settings {
  const { adapters, retention, resolution } = config.workflow;
  return {
    triggers: configuredTriggers(config),
    adapters,
    configuration: configurationOf(config.workflow),
    artifactTimeoutMs: resolution.artifactTimeoutSeconds * 1000,
    retention: {
      runs: retention.runsDays,
      firings: retention.firingsDays,
      observations: retention.observationsDays,
      deliveries: retention.deliveriesDays,
    },
  };
}

/**
 * To the router: whether `cairn start workflow` runs the engine, and asks over HTTP; else the router's
 * process does (docs/decisions/0021).
 */
export const runsApart = ({ workflow, components }: Config): boolean =>
  workflow.router !== undefined && components.workflow.url !== undefined;
