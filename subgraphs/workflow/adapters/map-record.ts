// Maps a record to an entity's fields by the adapter's CEL expressions (docs/reference/workflow.md#mapping).
import { ADAPTER_VARIABLES, rowBindings } from '../../../platform/cel/bindings.ts';
import { compileCel } from '../../../platform/cel/compile.ts';
import { AdapterTransformError } from './adapter.ts';

export type MapRecord = (row: unknown) => Record<string, unknown>;

/**
 * @throws CelError for an invalid expression; the returned function throws AdapterTransformError, naming the
 * field
 */
export function recordMapper(map: Readonly<Record<string, string>>): MapRecord {
  const fields = Object.entries(map).map(([field, text]) => ({
    field,
    program: compileCel(text, { variables: ADAPTER_VARIABLES, resultType: 'any' }),
  }));
  return (row) =>
    Object.fromEntries(
      fields.map(({ field, program }) => {
        const outcome = program.evaluate(rowBindings(row));
        if (!outcome.ok) throw new AdapterTransformError(`${field}: ${outcome.error}`);
        return [field, outcome.value];
      }),
    );
}
