// Connections of a TLS server before they are encrypted: so many at once, for so long. Until a client has sent something, it
// costs a socket and nothing of TLS.
import type { Socket } from 'node:net';
import { type IntakeOptions, OpenConnections } from '../intake/open-connections.ts';
import { turnAway } from '../intake/turn-away.ts';
import { shed } from '../metrics/intake-metrics.ts';

/** Milliseconds that a client has to agree on a key. */
const HANDSHAKE_MS = 10_000;
/** The first byte of a TLS handshake (RFC 8446, 5.1). */
const HANDSHAKE = 0x16;

const NOT_ENCRYPTED = {
  status: '400 Bad Request',
  error: 'invalid_request',
  message: 'this port speaks TLS: use https',
};

type End = Pick<Socket, 'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort'>;

/** The socket that Node gives out after the handshake is another one, with the same ends. */
const nameOf = ({ remoteAddress, remotePort, localAddress, localPort }: End): string =>
  `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;

export class Handshakes {
  readonly #places: OpenConnections;
  readonly #underWay = new Map<string, { readonly raw: Socket; readonly done: () => void }>();

  /** @param limited connections are limited as those are that have made their handshake, and beside them */
  constructor(limited: () => IntakeOptions) {
    this.#places = new OpenConnections(limited);
  }

  /** Has TLS spoken once the client begins to; otherwise the connection ends. */
  begin(raw: Socket, speak: () => void): void {
    const place = this.#places.take(raw.remoteAddress ?? '');
    if (typeof place === 'string') return void raw.destroy(); // nothing can be said before the handshake
    const name = nameOf(raw);
    const late = setTimeout(() => {
      shed.late_handshakes.value++;
      raw.destroy();
    }, HANDSHAKE_MS);
    const done = (): void => {
      clearTimeout(late);
      place();
      if (this.#underWay.get(name)?.raw === raw) this.#underWay.delete(name);
    };
    this.#underWay.set(name, { raw, done });
    raw.once('close', done).on('error', () => raw.destroy());
    raw.once('data', (first: Buffer) => {
      raw.pause();
      if (first[0] !== HANDSHAKE) return turnAway(raw, NOT_ENCRYPTED);
      raw.unshift(first); // TLS takes what has been read and not used
      speak();
    });
  }

  /** Its handshake is done. */
  done(encrypted: Socket): void {
    this.#underWay.get(nameOf(encrypted))?.done();
  }

  /** Ends those that are under way. */
  end(): void {
    for (const { raw } of this.#underWay.values()) raw.destroy();
  }
}
