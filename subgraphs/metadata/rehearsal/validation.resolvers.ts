// Resolvers of validation.
import type { OperationContext } from '../../../platform/operation-context.ts';
import { authorOf } from '../author-of.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ValidationSlice } from './validation.service.ts';
import { VALIDATED_OPERATIONS } from '../schema-model/validator.ts';

export type ValidationContext = OperationContext & ValidationSlice;

export const validationResolvers = {
  ValidatedOperation: Object.fromEntries(
    VALIDATED_OPERATIONS.map((operation) => [operation.toUpperCase(), operation]),
  ),
  Query: {
    validateEntity: (_, { entityType, id, data, all, operation }, { validation, caller }) =>
      validation.validate(
        { entityType, id: id ?? null, data: data ?? {}, all: all ?? true, operation: operation ?? null },
        authorOf(caller, null),
      ),
  },
} satisfies Resolvers<ValidationContext>;
