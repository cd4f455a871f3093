// Checks configured validators beyond their shape: their CEL, and missing files. Part of `loadConfig`'s list
// of faults (docs/reference/metadata.md#configured-validators).
import { existsSync } from 'node:fs';
import { CelError } from '../../../platform/cel/cel-error.ts';
import { faultAt } from '../../../platform/config/faults.ts';
import type { ConfigCheck } from '../../../platform/config/load-config.ts';
import { compileRule } from './cel-rule.ts';

const checkValidators: ConfigCheck = ({ validators }) =>
  validators.flatMap(({ origin, ...rule }) => {
    if (rule.type === 'module')
      return existsSync(rule.module)
        ? []
        : [faultAt(origin, ['module'], `the file ${rule.module} does not exist`)];
    try {
      compileRule(rule.expression);
      return [];
    } catch (error) {
      if (!(error instanceof CelError)) throw error;
      return [faultAt(origin, ['expression'], error.message)];
    }
  });

export const metadataChecks: readonly ConfigCheck[] = [checkValidators];
