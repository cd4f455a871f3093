// What headers of an answer tell beside its body.
import type { ComponentExtensions } from '../platform/component.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { setWarningsHeader } from '../platform/warnings.ts';

/** Warnings where the body has no room for them, and the time that the answer is based on. */
export function tellBeside(
  { res }: RequestContext,
  { warnings, basis }: ComponentExtensions,
  hasRoom: boolean,
): void {
  if (!hasRoom && warnings !== undefined) setWarningsHeader(res, warnings);
  if (basis !== undefined) res.setHeader('x-as-of', basis.time);
}
