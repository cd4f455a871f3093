// Unpacks the arguments of registration and deprecation, and makes one call each.
import type { ArtifactContext } from '../context.ts';
import type { Registration } from './registration.service.ts';
import type { Violation } from './violation.ts';

interface RegisterArguments {
  readonly definition: unknown;
  readonly replace: boolean;
  readonly dryRun: boolean;
}

export const registrationResolvers = {
  Mutation: {
    registerRule: (
      _: unknown,
      { definition, replace, dryRun }: RegisterArguments,
      { registration }: ArtifactContext,
    ) => registration.register(definition, { replace, dryRun }),
    deprecateRule: (
      _: unknown,
      { name, note }: { readonly name: string; readonly note: string },
      { registration }: ArtifactContext,
    ) => registration.deprecate(name, note),
  },
  RuleRegistration: {
    isValid: ({ violations }: Registration) => violations.length === 0,
  },
  RuleViolation: {
    outputType: (violation: Violation) => violation.output_type,
    entityType: (violation: Violation) => violation.entity_type,
    expectedType: (violation: Violation) => violation.expected_type,
  },
};
