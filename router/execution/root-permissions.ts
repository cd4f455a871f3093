// The permissions that an operation's root fields require.
import { DomainError } from '../../platform/errors.ts';
import type { Permission } from '../../platform/permissions.ts';
import type { RootField } from './root-fields.ts';

/**
 * @throws DomainError `insufficient_role` for a root field that is not in the table: access is denied by
 * default
 */
export function permissionsNeeded(
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
