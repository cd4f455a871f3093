// One browser at one page: its cookie, who is signed in behind it, and the token that its forms must bring back.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Exchange } from '../platform/exchange.ts';
import type { Identity } from '../platform/identity.ts';
import { assertPlainEncoding, mediaType, readBody } from '../platform/read-body.ts';
import type { Attempt, PortalPorts } from './ports.ts';
import { Refusal } from './refusal.ts';

const COOKIE = /^[\w-]{43}$/;
const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

/** Only over TLS may a cookie say that no other host or path has set it. */
const cookieName = (isSecure: boolean): string => (isSecure ? '__Host-cairn_session' : 'cairn_session');

function cookieOf({ req }: Exchange, isSecure: boolean): string | undefined {
  const wanted = `${cookieName(isSecure)}=`;
  const found = (req.headers.cookie ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(wanted));
  const value = found.length === 1 ? found[0]?.slice(wanted.length) : undefined; // two: somebody planted one
  return value !== undefined && COOKIE.test(value) ? value : undefined;
}

export class Visit {
  readonly exchange: Exchange;
  readonly ports: PortalPorts;
  /** Path under which the platform is published, without final slash; usually empty. */
  readonly base: string;
  /** Whether the browser brought a cookie; without one nobody is signed in. */
  readonly isKnown: boolean;
  #cookie: string;
  #identity: Identity | undefined;

  private constructor(
    exchange: Exchange,
    ports: PortalPorts,
    cookie: string | undefined,
    identity: Identity | undefined,
  ) {
    this.exchange = exchange;
    this.ports = ports;
    this.base = new URL(ports.issuer()).pathname.replace(/\/+$/, '');
    this.isKnown = cookie !== undefined;
    this.#cookie = cookie ?? '';
    this.#identity = identity;
    if (cookie === undefined && !this.isFromElsewhere) this.renew();
  }

  static async of(exchange: Exchange, ports: PortalPorts): Promise<Visit> {
    const cookie = cookieOf(exchange, ports.issuer().startsWith('https:'));
    const identity = cookie === undefined ? undefined : await ports.sessions.find(cookie);
    if (identity !== undefined) exchange.caller = { ...identity, requestId: exchange.requestId }; // for the audit record
    return new Visit(exchange, ports, cookie, identity);
  }

  /** Another site led here, so the browser has kept its cookie back, if it has one: it must not be given another. */
  get isFromElsewhere(): boolean {
    const site = this.exchange.req.headers['sec-fetch-site'];
    return !this.isKnown && (site === 'cross-site' || site === 'same-site');
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  get cookie(): string {
    return this.#cookie;
  }

  /** What this browser's forms bring back: bound to its cookie, of no use to any other. */
  get csrf(): string {
    return digest('csrf', this.#cookie);
  }

  /** State, nonce and verifier of a sign-in elsewhere that leads back to `target`. */
  attempt(target: string): Attempt {
    const of = (what: string): string => digest(what, this.#cookie, target);
    return {
      state: `${of('state')}.${Buffer.from(target).toString('base64url')}`,
      nonce: of('nonce'),
      codeVerifier: of('verifier'),
    };
  }

  /** Gives the browser another cookie: before and after a sign-in it must not be the same one. */
  renew(): void {
    const isSecure = this.ports.issuer().startsWith('https:');
    this.#cookie = randomBytes(32).toString('base64url');
    this.exchange.res.setHeader(
      'set-cookie',
      `${cookieName(isSecure)}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    );
  }

  async signIn(identity: Identity, isLocal: boolean): Promise<void> {
    const before = this.#cookie;
    this.renew();
    await this.ports.sessions.open(this.#cookie, before, identity, isLocal);
    this.#identity = identity;
  }

  async signOut(): Promise<void> {
    await this.ports.sessions.end(this.#cookie);
    this.renew();
    this.#identity = undefined;
  }

  /** Whether the form comes from another site, as far as browsers say. */
  get #isForeign(): boolean {
    const { origin, host, 'sec-fetch-site': site } = this.exchange.req.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    if (origin === undefined || origin === 'null') return false;
    return !URL.canParse(origin) || ![host, new URL(this.ports.issuer()).host].includes(new URL(origin).host);
  }

  /** The fields of a form of ours. @throws Refusal for a form that is none or was not this browser's, DomainError `payload_too_large` */
  async form(): Promise<ReadonlyMap<string, string>> {
    if (mediaType(this.exchange) !== 'application/x-www-form-urlencoded')
      throw new Refusal(415, 'Not a form', 'Forms are sent as application/x-www-form-urlencoded.');
    assertPlainEncoding(this.exchange);
    const fields = new Map(new URLSearchParams((await readBody(this.exchange)).toString('utf8')));
    if (this.#isForeign || !this.isKnown || !isEqual(fields.get('csrf') ?? '', this.csrf)) {
      throw new Refusal(
        403,
        'This page is out of date',
        'The form does not belong to your present session. Go back, load the page again, and try once more.',
      );
    }
    return fields;
  }
}
