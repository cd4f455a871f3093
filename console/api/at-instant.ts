// Operations as of the chosen time: one instant for all that a query reads, in all components
// (docs/reference/api-conventions.md#one-instant-for-an-operation).
import type { Operation } from './operation.ts';

const HEAD = /\bquery\s+(\w+)\s*(?:\(([^)]*)\))?\s*\{/;

/** The query with `@asOf`, its time as the variable `at`. */
export const atInstant = <Data, Variables>({
  name,
  text,
}: Operation<Data, Variables>): Operation<Data, Variables & { readonly at: string }> => ({
  name,
  text: text.replace(
    HEAD,
    (_, queryName: string, declared?: string) =>
      `query ${queryName}(${declared === undefined ? '' : `${declared.trim()}, `}$at: DateTime!) @asOf(time: $at) {`,
  ),
});
