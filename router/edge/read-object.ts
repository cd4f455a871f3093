// Bodies of the gateway's own routes: JSON objects, field by field. What does not fit is 400 (contract 0, 1.4).
import { badRequest } from '../../platform/errors.ts';
import type { Exchange } from '../../platform/exchange.ts';
import { readJson } from '../../platform/read-body.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The body's members; none where it is empty and not required. @throws DomainError, see {@link readJson} */
export async function readObject(
  exchange: Exchange,
  { required }: { readonly required: boolean },
): Promise<Fields> {
  const body = await readJson(exchange, { required });
  if (body === undefined) return {};
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw badRequest('the body must be a JSON object');
  return body as Fields; // the checks above leave a JSON object
}

/** A string; undefined where the field is absent or null. What it may say is the service's to decide. */
export function textField(fields: Fields, name: string): string | undefined {
  const value = fields[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw badRequest(`${name} must be a string`, { field: name });
  return value;
}

/** @throws DomainError `invalid_request` where it is absent */
export function requiredText(fields: Fields, name: string): string {
  const value = textField(fields, name);
  if (value === undefined) throw badRequest(`${name} is required`, { field: name });
  return value;
}
