// TLS by the server itself (docs/reference/gateway.md#tls): it decrypts connections and hands them to the HTTP server,
// which treats them like those without TLS (docs/decisions/0183-tls-before-the-intake.md).
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { Intake } from '../intake/intake.ts';
import { gauge } from '../metrics/process-metrics.ts';
import { Handshakes } from './handshakes.ts';
import { expiryOf, type TlsPair } from './read-tls.ts';

/** `setSecureContext` forgets what is not said again. */
const contextOf = ({ cert, key }: TlsPair): tls.SecureContextOptions => ({
  cert,
  key,
  minVersion: 'TLSv1.2',
});

export interface TlsFront {
  /** What listens. */
  readonly server: tls.Server;
  /** New connections have these; those that are open keep their keys. */
  renew(pair: TlsPair): void;
  /** Ends connections that are not encrypted yet. */
  endHandshakes(): void;
}

let expires = 0;
gauge(
  'cairn_tls_certificate_expiry_timestamp_seconds',
  'When the certificate of server.tls that is in use ends, in seconds since 1970; 0 without one.',
  () => [{ value: expires }],
  { together: 'max' },
);

export function tlsFront(behind: Server, pair: TlsPair, intake: Intake): TlsFront {
  expires = expiryOf(pair);
  const server = tls.createServer({ ...contextOf(pair), ALPNProtocols: ['http/1.1'], noDelay: true });
  const handshakes = new Handshakes(() => intake.options);
  const speakers = server.listeners('connection'); // tls's own
  server.removeAllListeners('connection');
  server.on('connection', (raw: Socket) => {
    handshakes.begin(raw, () => {
      for (const speak of speakers) speak.call(server, raw);
    });
  });
  server.on('secureConnection', (socket) => {
    handshakes.done(socket);
    socket.disableRenegotiation(); // it is work for the server, and for nothing
    behind.emit('connection', socket);
  });
  server.on('tlsClientError', (_, socket) => socket.destroy());
  server.on('listening', () => behind.emit('listening')); // it looks after late requests from then on
  server.on('close', () => behind.close());
  return {
    server,
    renew(next) {
      server.setSecureContext(contextOf(next));
      expires = expiryOf(next);
    },
    endHandshakes: () => {
      handshakes.end();
    },
  };
}
