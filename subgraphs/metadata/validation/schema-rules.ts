// The validator of schema rules: those of a type's ancestors, then its own
// (docs/reference/metadata.md#schema-rules).
import type { EntityType } from '../schema-model/entity-type.ts';
import { CelRule } from './cel-rule.ts';
import type { ValidationFailure, Validator } from '../schema-model/validator.ts';

const compiled = new WeakMap<EntityType, readonly CelRule[]>();

/** Compiled once per revision of a type; they were checked when the schema was registered. */
function rulesOf(type: EntityType): readonly CelRule[] {
  const known = compiled.get(type);
  if (known) return known;
  const rules = type.rules.map((rule) => new CelRule(rule));
  compiled.set(type, rules);
  return rules;
}

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
