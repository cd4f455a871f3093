// What can be wrong with configured validators beyond their shape: their CEL. Part of `loadConfig`'s list of faults (contract 5).
import { CelError } from '../../../platform/cel/cel-error.ts';
import { faultAt } from '../../../platform/config/faults.ts';
import type { ConfigCheck } from '../../../platform/config/load-config.ts';
import { compileRule } from './cel-rule.ts';

const checkValidators: ConfigCheck = ({ validators }) => validators.flatMap(({ origin, ...rule }) => {
  try {
    compileRule(rule.expression);
    return [];
  } catch (error) {
    if (!(error instanceof CelError)) throw error;
    return [faultAt(origin, ['expression'], error.message)];
  }
});

export const metadataChecks: readonly ConfigCheck[] = [checkValidators];
