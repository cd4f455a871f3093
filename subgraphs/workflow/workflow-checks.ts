// Checks workflow's configuration beyond its shape: cron and CEL
// (docs/reference/workflow.md#trigger-validation). Part of `loadConfig`'s list of faults.
import { ADAPTER_VARIABLES } from '../../platform/cel/bindings.ts';
import { CelError } from '../../platform/cel/cel-error.ts';
import { compileCel } from '../../platform/cel/compile.ts';
import { textAt, valueAt } from '../../platform/config/definitions.ts';
import { type ConfigFault, faultAt, type Origin, type Path } from '../../platform/config/faults.ts';
import type { ConfigCheck } from '../../platform/config/load-config.ts';
import { MAX_EXPRESSION_LENGTH } from '../../platform/config/values.ts';
import { faultOfCron } from './trigger-model/cron.ts';

function celFaults(origin: Origin, at: Path, compile: () => unknown): ConfigFault[] {
  try {
    compile();
    return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [faultAt(origin, at, error.message)];
  }
}

/** A text that the schema accepts. */
const expressionAt = (item: unknown, at: Path): string | undefined => {
  const text = textAt(item, at);
  return text !== undefined && text !== '' && text.length <= MAX_EXPRESSION_LENGTH ? text : undefined;
};

/** Definitions are checked as they are in the file: a fault in one key hides none in another. */
const checkTriggers: ConfigCheck = ({ named }) =>
  named.triggers.flatMap(({ item, origin }): ConfigFault[] => {
    const condition = (at: Path): ConfigFault[] => {
      const text = expressionAt(item, at);
      return text === undefined
        ? []
        : celFaults(origin, at, () => compileCel(text, { variables: 'any', resultType: 'bool' }));
    };
    switch (textAt(item, ['type'])) {
      case 'schedule': {
        const schedule = expressionAt(item, ['schedule']);
        // the zone does not matter for an expression's validity
        const fault = schedule === undefined ? null : faultOfCron(schedule, 'UTC');
        return fault === null ? [] : [faultAt(origin, ['schedule'], fault)];
      }
      case 'webhook':
        return condition(['when']);
      case 'metadata_poll':
        return condition(['poll', 'filter']);
      case 'event':
        return condition(['filter']);
      default:
        return [];
    }
  });

const checkAdapters: ConfigCheck = ({ named }) =>
  named.adapters.flatMap(({ item, origin }) =>
    Object.keys(valueAt(item, ['map']) ?? {}).flatMap((field) => {
      const text = expressionAt(item, ['map', field]);
      return text === undefined
        ? []
        : celFaults(origin, ['map', field], () =>
            compileCel(text, { variables: ADAPTER_VARIABLES, resultType: 'any' }),
          );
    }),
  );

export const workflowChecks: readonly ConfigCheck[] = [checkTriggers, checkAdapters];
