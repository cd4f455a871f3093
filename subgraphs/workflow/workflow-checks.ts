// What can be wrong with workflow's configuration beyond its shape: cron and CEL (contract 3). Part of `loadConfig`'s list of faults.
import { ADAPTER_VARIABLES } from '../../platform/cel/bindings.ts';
import { CelError } from '../../platform/cel/cel-error.ts';
import { compileCel } from '../../platform/cel/compile.ts';
import { type ConfigFault, faultAt, type Origin, type Path } from '../../platform/config/faults.ts';
import type { ConfigCheck } from '../../platform/config/load-config.ts';
import { faultOfCron } from './schedules/cron.ts';

function celFaults(origin: Origin, at: Path, compile: () => unknown): ConfigFault[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [faultAt(origin, at, error.message)];
  }
}

const checkTriggers: ConfigCheck = ({ triggers }) => triggers.flatMap((trigger): ConfigFault[] => {
  const { origin } = trigger;
  switch (trigger.type) {
    case 'schedule': {
      const fault = faultOfCron(trigger.schedule, trigger.timezone);
      return fault === null ? [] : [faultAt(origin, ['schedule'], fault)];
    }
    case 'webhook': {
      const { when } = trigger;
      return when === undefined ? [] : celFaults(origin, ['when'], () => compileCel(when, { variables: 'any', resultType: 'bool' }));
    }
    case 'metadata_poll': {
      const { filter } = trigger.poll;
      return filter === undefined ? [] : celFaults(origin, ['poll', 'filter'], () => compileCel(filter, { variables: 'any', resultType: 'bool' }));
    }
    case 'manual': case 'internal_event': return [];
    default: return trigger satisfies never;
  }
});

const checkAdapters: ConfigCheck = ({ adapters }) => adapters.flatMap(({ origin, ...adapter }) =>
  Object.entries(('map' in adapter ? adapter.map : undefined) ?? {}).flatMap(([field, text]) =>
    celFaults(origin, ['map', field], () => compileCel(text, { variables: ADAPTER_VARIABLES, resultType: 'any' }))));

export const workflowChecks: readonly ConfigCheck[] = [checkTriggers, checkAdapters];
