// What the root fields of an operation ask of its caller.
import { DomainError } from '../../platform/errors.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { RootField } from './root-fields.ts';

/**
 * @throws DomainError `insufficient_role` for a root field that is not in the table: what is not in it is
 * denied
 */
export function permissionsOf(
  fields: readonly RootField[],
  table: Readonly<Record<string, Permission>>,
): readonly Permission[] {
  return [
    ...new Set(
      fields.map(({ coordinate }) => {
        const permission = Object.hasOwn(table, coordinate) ? table[coordinate] : undefined;
        if (permission === undefined)
          throw new DomainError('insufficient_role', `no role may use ${coordinate}`, {
            operation: coordinate,
          });
        return permission;
      }),
    ),
  ];
}
