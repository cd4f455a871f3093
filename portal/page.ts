// Renders the frame of every page and sends it: not cacheable, not embeddable in frames, without scripts and
// external resources.
import { createHash } from 'node:crypto';
import type { RequestContext } from '../platform/request-context.ts';
import type { Identity } from '../platform/identity.ts';
import { type Html, html } from './html.ts';
import { STYLE } from './style.ts';

/** The name contains a hash of the content, so that browsers may cache the style sheet for long. */
export const STYLE_PATH = `/portal/style-${createHash('sha256').update(STYLE).digest('hex').slice(0, 12)}.css`;

export interface PageContent {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** The origin of a client's redirect URL, to which forms of this page may lead beside our own. */
  readonly formTarget?: string | undefined;
  /** Redirects to this URL immediately. */
  readonly refresh?: string;
  /** The signed-in user, with the CSRF token for signing out. */
  readonly visitor?: { readonly identity: Identity; readonly csrf: string } | undefined;
}

const LOGO = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <ellipse cx="16" cy="26" rx="12" ry="4.5" />
  <ellipse cx="15" cy="17" rx="8.5" ry="4" />
  <ellipse cx="16.5" cy="9.5" rx="5.5" ry="3" />
</svg>`;

const CHALLENGES: Readonly<Record<number, string>> = {
  401: 'Bearer realm="cairn", error="invalid_token"',
  403: 'Bearer realm="cairn", error="insufficient_scope"',
};

/** The path under which the platform is published, without a trailing slash; usually empty. */
export const basePath = (issuer: string): string => new URL(issuer).pathname.replace(/\/+$/, '');

/** @param base path under which the platform is published, without a trailing slash */
function document({ title, content, refresh, visitor }: PageContent, base: string): string {
  const head =
    refresh === undefined ? undefined : html`<meta http-equiv="refresh" content="0; url=${refresh}" />`;
  const foot =
    visitor === undefined
      ? undefined
      : html`<footer>
          <form method="post" action="${base}/portal/sign-out">
            <input type="hidden" name="csrf" value="${visitor.csrf}" />Signed in as ${visitor.identity.actor}.
            <button class="link">Sign out</button>
          </form>
        </footer>`;
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${head}
        <title>${title} · Cairn</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${base}${STYLE_PATH}" />
      </head>
      <body>
        <header>${LOGO}Cairn</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
        ${foot}
      </body>
    </html> `.text
  }`;
}

export function sendPage({ res }: RequestContext, page: PageContent, base: string): void {
  const { status = 200, formTarget } = page;
  const body = document(page, base);
  const challenge = CHALLENGES[status];
  if (challenge !== undefined) res.setHeader('www-authenticate', challenge);
  res
    .writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}; base-uri 'none'; frame-ancestors 'none'`,
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .end(body);
}

/** Redirects the browser with GET. */
export function redirect({ res }: RequestContext, location: string): void {
  res.writeHead(303, { location, 'content-length': 0, 'cache-control': 'no-store' }).end();
}

export function sendStyle({ res }: RequestContext): void {
  res
    .writeHead(200, {
      'content-type': 'text/css; charset=utf-8',
      'content-length': Buffer.byteLength(STYLE),
      'cache-control': 'public, max-age=31536000, immutable',
    })
    .end(STYLE);
}
