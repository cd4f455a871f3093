// Validation in GraphQL: unpack, one call.
import { authorOf, type MetadataContext } from '../metadata-context.ts';
import { type ValidatedOperation, VALIDATED_OPERATIONS } from './validator.ts';

interface ValidateArgs {
  entityType: string;
  id?: string | null;
  data?: unknown;
  all?: boolean | null;
  operation?: ValidatedOperation | null;
}

export const validationResolvers = {
  ValidatedOperation: Object.fromEntries(
    VALIDATED_OPERATIONS.map((operation) => [operation.toUpperCase(), operation]),
  ),
  Query: {
    validateEntity: (
      _: unknown,
      { entityType, id, data, all, operation }: ValidateArgs,
      { validation, caller }: MetadataContext,
    ) =>
      validation.validate(
        { entityType, id: id ?? null, data: data ?? {}, all: all ?? true, operation: operation ?? null },
        authorOf(caller, null),
      ),
  },
};
