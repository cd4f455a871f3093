// Runs documents under an identity: through the router in one process, or directly at a component.
import type { PreparedOperation } from '../../platform/component.ts';
import { DomainError, errorCodeOf } from '../../platform/errors.ts';
import type { Caller } from '../../platform/identity.ts';
import { detailsOf, type Execute } from './deps.ts';

/** @param as converts an identity; the answer contains what that identity may see */
export function executeWith(
  ask: (document: string) => PreparedOperation,
  as: (signal: AbortSignal | undefined) => Caller | Promise<Caller>,
): Execute {
  return async (document, variables, signal) => {
    const { data, texts, errors } = await ask(document)(variables, await as(signal));
    const error = errors?.[0];
    if (error)
      throw new DomainError(
        errorCodeOf(error.extensions?.['code']) ?? 'internal_error',
        error.message,
        detailsOf(error.extensions?.['details']),
      );
    const parsed = Object.entries(texts ?? {}).map(([key, text]): [string, unknown] => [
      key,
      JSON.parse(text),
    ]);
    return { ...data, ...Object.fromEntries(parsed) };
  };
}
