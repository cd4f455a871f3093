// Which columns a refusal is about, by the fields that it names.
import { isObject } from '../json-object.ts';

/** The fields that a refusal is about, as far as it names them. */
export function refusedFields(details: unknown): readonly string[] {
  if (!isObject(details)) return [];
  const { field, input_context: context, failures } = details;
  if (Array.isArray(failures)) return [...new Set(failures.flatMap(refusedFields))];
  const named = field ?? (isObject(context) ? context['field'] : undefined);
  return typeof named === 'string' ? [named] : [];
}
