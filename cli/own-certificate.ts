// Connections to a server of this machine that speaks TLS itself: it has exactly the certificate that its configuration
// names, which need not name loopback, nor be issued by anybody whom this machine trusts, nor be valid any more.
import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector, type Dispatcher } from 'undici';
import type { Config } from '../platform/config/load-config.ts';
import { Failure } from './failure.ts';

/** How connections are made, where that is special. */
export interface Through {
  readonly through?: { readonly dispatcher: Dispatcher };
}

/** Undefined where it is another account's: then it is verified like any other. @throws Failure if it is none */
function certificateIn(file: string): X509Certificate | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw new Failure(`server.tls.certificate: ${file} has no certificate`, {}, { cause });
  }
}

const isSame = (own: X509Certificate | undefined, other: X509Certificate | undefined): boolean =>
  own !== undefined && other?.raw.equals(own.raw) === true;

/** How the server with this configuration is reached from where it runs. */
export function throughOwn({ server: { tls } }: Pick<Config, 'server'>): Through {
  let own = tls && certificateIn(tls.certificate);
  if (tls === undefined || own === undefined) return {};
  const faultOf = (socket: unknown, port: string): Failure | undefined => {
    // Node 20 tells it once
    const served = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
    try {
      if (isSame(own, served)) return undefined;
      own = certificateIn(tls.certificate); // it may have been renewed since it was read
      if (isSame(own, served)) return undefined;
    } catch (fault) {
      return fault as Failure; // certificateIn throws nothing else
    }
    return new Failure(
      `the server at port ${port} has another certificate than ${tls.certificate}: SIGHUP has it read the file`,
      { error: 'certificate' },
    );
  };
  // not by issuer and name, but by itself
  const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });
  const dispatcher = new Agent({
    connect(options, callback) {
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        const fault = faultOf(socket, options.port);
        if (fault === undefined) return callback(null, socket);
        socket.destroy();
        callback(fault, null);
      });
    },
  });
  return { through: { dispatcher } };
}

/** The server's public key as `curl --pinnedpubkey` takes it; undefined without TLS, or where it cannot be read. */
export function pinnedKey({ server: { tls } }: Config): string | undefined {
  try {
    const own = tls && certificateIn(tls.certificate);
    const key = own?.publicKey.export({ type: 'spki', format: 'der' });
    return key && `sha256//${createHash('sha256').update(key).digest('base64')}`;
  } catch (fault) {
    if (!(fault instanceof Failure)) throw fault;
    return undefined; // the file was replaced by something else since the server has read it
  }
}
