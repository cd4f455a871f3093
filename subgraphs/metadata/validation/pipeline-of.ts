// The validators of every write: those of the schemas first, then the configured ones.
import { type ConfiguredRule, configuredValidator } from './configured-validator.ts';
import { fieldValidator } from './field-validator.ts';
import { ValidationPipeline } from './pipeline.ts';
import { schemaRules } from './schema-rules.ts';
import { type ConfiguredModule, moduleValidator } from './validator-module.ts';
import type { Validator } from '../schema-model/validator.ts';

/**
 * @throws DomainError `validation_failed` if a configured validator's expression is invalid, or its module
 * cannot be loaded
 */
export async function pipelineOf(
  validators: readonly (ConfiguredRule | ConfiguredModule | Validator)[],
): Promise<ValidationPipeline> {
  const configured = await Promise.all(
    validators.map(async (one) => {
      if ('validate' in one) return one;
      return 'module' in one ? await moduleValidator(one) : configuredValidator(one);
    }),
  );
  return new ValidationPipeline([fieldValidator, schemaRules, ...configured]);
}
