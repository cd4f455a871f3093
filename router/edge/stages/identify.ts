// Identifies the credential's owner once per request, and stores a refusal for the authentication stage.
import { DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import {
  type Credentials,
  credentialsOf,
  isEverybody,
  oneIdentity,
  verifyCredential,
} from '../identity/credentials.ts';
import type { EdgeRequestContext } from './edge-request-context.ts';

function refuse(ctx: EdgeRequestContext, thrown: unknown): void {
  if (!(thrown instanceof DomainError)) throw thrown;
  ctx.refusal = thrown;
}

async function identifyByAll(ctx: EdgeRequestContext, pending: readonly Promise<Identity>[]): Promise<void> {
  try {
    ctx.identity = await oneIdentity(pending);
  } catch (thrown) {
    refuse(ctx, thrown);
  }
}

/** Sets `identity` or `refusal`; neither without a credential. Returns a promise only if it must wait. */
export function identify(ctx: EdgeRequestContext, credentials: Credentials): undefined | Promise<void> {
  if (isEverybody(credentials)) {
    ctx.identity = credentials;
    return undefined;
  }
  if (ctx.identity !== undefined || ctx.refusal !== undefined) return undefined;
  try {
    const [only, second] = credentialsOf(ctx.req.headers, ctx.req.method, credentials);
    if (only === undefined) return undefined;
    if (second !== undefined)
      return identifyByAll(
        ctx,
        [only, second].map(async (credential) => verifyCredential(credential, credentials)),
      );
    const verdict = verifyCredential(only, credentials);
    if (verdict instanceof Promise) return identifyByAll(ctx, [verdict]);
    ctx.identity = verdict;
  } catch (thrown) {
    refuse(ctx, thrown);
  }
  return undefined;
}
