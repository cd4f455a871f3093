// The engine's part of the configuration.
import type { Config } from '../../../platform/config/load-config.ts';
import type { ConfiguredTrigger } from '../trigger-model/trigger-definition.ts';
import { configurationOf } from './configuration.ts';
import type { WorkflowOptions } from './start-workflow.ts';

/** The triggers; their runs are queued with this configuration's hash. */
export function configuredTriggers({ workflow }: Config): readonly ConfiguredTrigger[] {
  const configuration = configurationOf(workflow);
  return workflow.triggers.map((trigger) => ({ ...trigger, configuration }));
}

type Settings = Required<
  Pick<
    WorkflowOptions,
    'triggers' | 'adapters' | 'configuration' | 'jsonLimits' | 'retention' | 'artifactTimeoutMs'
  >
>;

export function engineSettings(config: Config): Settings {
  const { adapters, retention, resolution } = config.workflow;
  return {
    triggers: configuredTriggers(config),
    adapters,
    configuration: configurationOf(config.workflow),
    jsonLimits: config.server.limits,
    artifactTimeoutMs: resolution.artifactTimeoutSeconds * 1000,
    retention: {
      runs: retention.runsDays,
      firings: retention.firingsDays,
      observations: retention.observationsDays,
      deliveries: retention.deliveriesDays,
      past: retention.pastDays,
    },
  };
}

/**
 * Access to the router: if present, `cairn start workflow` runs the engine and calls it over HTTP; else the
 * router's process runs the engine (docs/decisions/0021).
 */
export const runsApart = ({ workflow, components }: Config): boolean =>
  workflow.router !== undefined && components.workflow.url !== undefined;
