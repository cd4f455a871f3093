// Resolvers of registration and deprecation.
import type { OperationContext } from '../../../platform/operation-context.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { RuleSlice } from '../rules/rules.service.ts';
import type { RegistrationSlice } from './registration.service.ts';

export type RegistrationContext = OperationContext & RegistrationSlice & RuleSlice;

export const registrationResolvers = {
  Mutation: {
    registerRule: (_, { definition, replace, dryRun }, { registration }) =>
      registration.register(definition, { replace, dryRun }),
    deprecateRule: (_, { name, note }, { registration }) => registration.deprecate(name, note),
  },
  RuleRegistration: {
    isValid: ({ violations }) => violations.length === 0,
  },
  RuleViolation: {
    outputType: (violation) => violation.output_type,
    entityType: (violation) => violation.entity_type,
    expectedType: (violation) => violation.expected_type,
  },
} satisfies Resolvers<RegistrationContext>;
