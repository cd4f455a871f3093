// Stored files of a component in another process: streamed from and to its REST API, which checks the caller again.
import { Pool } from 'undici';
import type { OpenContent, ReceiveContent } from '../../platform/component.ts';
import { DomainError } from '../../platform/errors.ts';
import { identityHeaders } from '../../platform/identity.ts';
import { receiving } from './remote-uploads.ts';
import type { SignIdentity } from '../../platform/signed-identity/identity-signer.ts';

export interface RemoteContentOptions {
  readonly name: string;
  /** The component's base URL, with a trailing slash. */
  readonly base: URL;
  /** Timeout in milliseconds of its headers, and between parts of a body that is being read. */
  readonly timeoutMs: number;
  readonly sign: SignIdentity;
}

/** Connections of its own: a slow download must not occupy those of operations. */
const CONNECTIONS = 256;

export function createRemoteContent({ name, base, timeoutMs, sign }: RemoteContentOptions): {
  readonly open: OpenContent;
  readonly receive: ReceiveContent;
  close(): Promise<void>;
} {
  const pool = new Pool(base.origin, {
    connections: CONNECTIONS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: { timeout: timeoutMs },
  });
  const unavailable = (status: number | null, cause?: unknown): DomainError =>
    new DomainError(
      'component_unavailable',
      `component ${name} does not send the file`,
      { component: name, upstream_status: status },
      { cause },
    );
  return {
    async open({ hash, first, last }, caller) {
      const { actor, roles, projects } = caller;
      const signed = await sign({ actor, roles, projects }, name);
      const { statusCode, body } = await pool
        .request({
          path: `${base.pathname}files/${hash.replace('sha256:', '')}`,
          method: 'GET',
          headers: {
            ...identityHeaders(caller, signed),
            range: `bytes=${first}-${last}`,
            'if-range': `"${hash.replace('sha256:', '')}"`, // it is to come from there, not from its bucket
          },
          ...(caller.signal === undefined ? {} : { signal: caller.signal }),
        })
        .catch((cause: unknown) => {
          throw unavailable(null, cause);
        });
      if (statusCode === 206) return body;
      await body.dump();
      if (statusCode === 404)
        throw new DomainError('not_found', `${hash} is no longer in the artifact store as it was`);
      throw unavailable(statusCode);
    },
    receive: receiving({ pool, name, path: `${base.pathname}uploads/`, sign, unavailable }),
    // downloads end with their clients
    close: () => pool.destroy(),
  };
}
