// Looks again and again whether a credential still stands, for connections that outlive a request.
import { DomainError } from '../../platform/errors.ts';
import type { Identity } from '../../platform/identity.ts';

export interface Watched {
  /** As it was when the connection began. */
  readonly identity: Identity;
  /** Whose the credential is now. @throws DomainError where it is nobody's any more */
  readonly verify: () => Promise<Identity | undefined>;
  /** Called once, when the credential has ended or means something else. */
  readonly onEnd: (refusal: DomainError) => void;
  /** What kept it from looking: it looks again. */
  readonly onFault: (fault: unknown) => void;
  /**
   * Calls back when some credential has ended, so that this one is looked at then; answers the way to stop.
   */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  /** Milliseconds between two looks; 4 s unless given: for ends that nobody announces. */
  readonly everyMs?: number;
}

const rightsOf = ({ actor, roles, projects }: Identity): string => JSON.stringify([actor, roles, projects]);

/** Answers the way to stop looking. */
export function watchIdentity({
  identity,
  verify,
  onEnd,
  onFault,
  onEnding,
  everyMs = 4000,
}: Watched): () => void {
  const rights = rightsOf(identity);
  let over = false;
  const end = (refusal: DomainError): void => {
    if (over) return;
    stop();
    onEnd(refusal);
  };
  const look = async (): Promise<void> => {
    try {
      const now = await verify();
      if (now === undefined || rightsOf(now) !== rights)
        end(
          new DomainError(
            'revoked_token',
            'the credential no longer gives the rights that the connection began with',
          ),
        );
    } catch (thrown) {
      if (thrown instanceof DomainError && thrown.status === 401) end(thrown);
      else onFault(thrown);
    }
  };
  const timer = setInterval(() => void look(), everyMs).unref();
  const deafen = onEnding?.(() => void look());
  const stop = (): void => {
    over = true;
    deafen?.();
    clearInterval(timer);
  };
  return stop;
}
