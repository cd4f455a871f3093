// Checks repeatedly whether a credential is still valid, for connections that outlive a request.
import { DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';

export interface Watched {
  /** The identity when the connection began. */
  readonly identity: Identity;
  /** The credential's current identity. @throws DomainError if it is no longer valid */
  readonly verify: () => Promise<Identity | undefined>;
  /** Called once, when the credential has ended or its rights have changed. */
  readonly onEnd: (refusal: DomainError) => void;
  /** The error of a failed check, which is repeated. */
  readonly onFault: (fault: unknown) => void;
  /**
   * Registers a callback for the end of any credential, which triggers a check; returns a function that
   * removes it.
   */
  readonly onEnding?: ((look: () => void) => () => void) | undefined;
  /** Milliseconds between two checks, for ends that are not announced; default 4 s. */
  readonly everyMs?: number;
}

const rightsOf = ({ actor, roles, projects }: Identity): string => JSON.stringify([actor, roles, projects]);

/** Returns a function that stops checking. */
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
            'the credential no longer has the rights with which the connection was opened',
          ),
        );
    } catch (thrown) {
      // 403: an issuer elsewhere has taken the roles away
      if (thrown instanceof DomainError && (thrown.status === 401 || thrown.status === 403)) end(thrown);
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
