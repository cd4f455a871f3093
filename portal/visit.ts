// Handles one browser request to a page: the session cookie, the signed-in identity, and the CSRF token of
// forms.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { RequestContext } from '../platform/request-context.ts';
import type { Identity } from '../platform/identity.ts';
import { cookieName, isOwnOrigin, SESSION_HEADER, sessionCookie } from '../platform/session-cookie.ts';
import { assertPlainEncoding, mediaType, readBody } from '../platform/read-body.ts';
import type { Attempt, Opening, PortalDeps } from './deps.ts';
import { basePath, type PageContent, sendPage } from './page.ts';
import { Refusal } from './refusal.ts';

const digest = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
const isEqual = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest());

export class Visit {
  readonly ctx: RequestContext;
  readonly deps: PortalDeps;
  /** Path under which the platform is published, without a trailing slash; usually empty. */
  readonly base: string;
  /** Whether the request has a session cookie; without one nobody is signed in. */
  readonly isKnown: boolean;
  #cookie: string;
  #identity: Identity | undefined;

  private constructor(
    ctx: RequestContext,
    deps: PortalDeps,
    cookie: string | undefined,
    identity: Identity | undefined,
  ) {
    this.ctx = ctx;
    this.deps = deps;
    this.base = basePath(deps.issuer());
    this.isKnown = cookie !== undefined;
    this.#cookie = cookie ?? '';
    this.#identity = identity;
    if (cookie === undefined && !this.isFromElsewhere) this.renew();
  }

  static async of(ctx: RequestContext, deps: PortalDeps): Promise<Visit> {
    const cookie = sessionCookie(ctx.req.headers, deps.issuer().startsWith('https:'));
    const identity = cookie === undefined ? undefined : await deps.sessions.find(cookie);
    // for the audit record
    if (identity !== undefined) ctx.caller = { ...identity, requestId: ctx.requestId };
    return new Visit(ctx, deps, cookie, identity);
  }

  /**
   * Whether another site led here and the request has no cookie. The browser may have a cookie that it did
   * not send (SameSite), so no new cookie may be set.
   */
  get isFromElsewhere(): boolean {
    const site = this.ctx.req.headers['sec-fetch-site'];
    return !this.isKnown && (site === 'cross-site' || site === 'same-site');
  }

  get identity(): Identity | undefined {
    return this.#identity;
  }

  get cookie(): string {
    return this.#cookie;
  }

  /** The CSRF token of this browser's forms, bound to its cookie and invalid for any other. */
  get csrf(): string {
    return digest('csrf', this.#cookie);
  }

  show(page: PageContent): void {
    sendPage(this.ctx, page, this.base);
  }

  /** Returns state, nonce and verifier of a sign-in at the identity provider that returns to `target`. */
  attempt(target: string): Attempt {
    const of = (what: string): string => digest(what, this.#cookie, target);
    return {
      state: `${of('state')}.${Buffer.from(target).toString('base64url')}`,
      nonce: of('nonce'),
      codeVerifier: of('verifier'),
    };
  }

  /** Sets a new cookie. The cookie must change at sign-in. */
  renew(): void {
    const isSecure = this.deps.issuer().startsWith('https:');
    this.#cookie = randomBytes(32).toString('base64url');
    this.ctx.res.setHeader(
      'set-cookie',
      `${cookieName(isSecure)}=${this.#cookie}; Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
    );
  }

  async signIn(opening: Opening): Promise<void> {
    const before = this.#cookie;
    this.renew();
    await this.deps.sessions.open(this.#cookie, before === '' ? undefined : before, opening);
    this.#identity = opening.identity;
  }

  async signOut(): Promise<void> {
    await this.deps.sessions.end(this.#cookie);
    this.renew();
    this.#identity = undefined;
  }

  /** Whether the form comes from another site, according to the browser's headers. */
  get #isForeign(): boolean {
    const { origin, host, 'sec-fetch-site': site } = this.ctx.req.headers;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    if (origin === undefined || origin === 'null') return false;
    return !isOwnOrigin(origin, host, this.deps.issuer());
  }

  /** Whether a script of our own pages sends the request; no form can set the header. */
  get #isFromScript(): boolean {
    const { origin, [SESSION_HEADER]: header } = this.ctx.req.headers;
    return header !== undefined && origin !== undefined && !this.#isForeign;
  }

  /**
   * Returns the fields of a form of these pages.
   * @throws Refusal for a body that is not a form or a form of another browser, DomainError
   * `payload_too_large`
   */
  async form(): Promise<ReadonlyMap<string, string>> {
    if (mediaType(this.ctx) !== 'application/x-www-form-urlencoded')
      throw new Refusal(
        415,
        'The request is not a form',
        'Forms must be sent as application/x-www-form-urlencoded.',
      );
    assertPlainEncoding(this.ctx);
    const fields = new Map(new URLSearchParams((await readBody(this.ctx)).toString('utf8')));
    const isOurs = this.#isFromScript || isEqual(fields.get('csrf') ?? '', this.csrf);
    if (this.#isForeign || !this.isKnown || !isOurs) {
      throw new Refusal(
        403,
        'This page has expired',
        'The form does not belong to your current session. Go back, reload the page, and try again.',
      );
    }
    return fields;
  }
}
