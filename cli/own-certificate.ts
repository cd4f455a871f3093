// Connections to a server of this machine that speaks TLS itself: it has exactly the certificate that its configuration
// names, which need not name loopback, nor be issued by anybody whom this machine trusts, nor be valid any more.
import { X509Certificate } from 'node:crypto';
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

/** How the server with this configuration is reached from where it runs. */
export function throughOwn({ server: { tls } }: Config): Through {
  const own = tls && certificateIn(tls.certificate);
  if (own === undefined) return {};
  // not by issuer and name, but by itself
  const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });
  const dispatcher = new Agent({
    connect(options, callback) {
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        if (socket instanceof TLSSocket && socket.getPeerX509Certificate()?.raw.equals(own.raw) === true)
          return callback(null, socket);
        socket.destroy();
        const message = `the server at port ${options.port} has another certificate than ${tls?.certificate}: SIGHUP has it read the file`;
        callback(new Failure(message, { error: 'certificate' }), null);
      });
    },
  });
  return { through: { dispatcher } };
}
