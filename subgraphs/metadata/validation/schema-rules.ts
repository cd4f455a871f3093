// The validator of schema rules: those of a type's ancestors, then its own
// (docs/reference/metadata.md#schema-rules).
import { oncePer } from '../../../platform/once-per.ts';
import type { EntityType } from '../schema-model/entity-type.ts';
import { CelRule } from './cel-rule.ts';
import type { ValidationFailure, Validator } from '../schema-model/validator.ts';

/** Compiled once per revision of a type; they were checked when the schema was registered. */
const rulesOf = oncePer((type: EntityType) => type.rules.map((rule) => new CelRule(rule)));

/** rules are about data, which a delete does not change */
export const schemaRules: Validator = {
  mayBypass: true,
  validate(write, all) {
    if (write.operation === 'delete' || write.type.rules.length === 0) return [];
    const failures: ValidationFailure[] = [];
    for (const rule of rulesOf(write.type)) {
      const failure = rule.failure(write);
      if (failure) failures.push(failure);
      if (failure && !all) break;
    }
    return failures;
  },
};
