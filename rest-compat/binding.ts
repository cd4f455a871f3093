// Binds the documents of rows to what executes them.
import type { PreparedOperation, Subscribe } from '../platform/component.ts';
import type { Permission } from '../platform/permissions.ts';
import { permissionOf } from './document-permission.ts';

/** The operation of a row's document. */
export interface Bound {
  readonly run: PreparedOperation;
  readonly permission: Permission;
  /** Only of a subscription, for rows that are exports. */
  readonly subscribe?: Subscribe;
}

export interface Executor {
  readonly prepare: (document: string) => PreparedOperation;
  readonly subscribe: (document: string, ...asked: Parameters<Subscribe>) => ReturnType<Subscribe>;
}

/** Each trusted document is bound on its first use, and looked up by its text. */
export function binding(
  { prepare, subscribe }: Executor,
  permissions: Readonly<Record<string, Permission>>,
): (document: string) => Bound {
  const known = new Map<string, Bound>();
  return (document) => {
    let bound = known.get(document);
    if (!bound) {
      let run: PreparedOperation | undefined;
      bound = {
        permission: permissionOf(document, permissions),
        run: (variables, caller) => (run ??= prepare(document))(variables, caller),
        subscribe: (variables, caller) => subscribe(document, variables, caller),
      };
      known.set(document, bound);
    }
    return bound;
  };
}
