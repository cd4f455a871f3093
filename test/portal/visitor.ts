// A simulated browser for pages without scripts: a cookie, links, and forms.

export interface Seen {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : unescaped(found);
};

/** The fields of the page's form for `action`, with their values. */
export function formOf(seen: Seen, action: string): Record<string, string> {
  const form = [...seen.text.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/g)]
    .map(([text]) => text)
    .find((text) => attribute(text, 'action') === action);
  if (form === undefined) throw new Error(`no form leads to ${action} on: ${seen.text}`);
  return Object.fromEntries(
    [...form.matchAll(/<input\b[^>]*>/g)].map(([tag]) => [
      attribute(tag, 'name') ?? '',
      attribute(tag, 'value') ?? '',
    ]),
  );
}

export class Visitor {
  readonly base: string;
  readonly cookies = new Map<string, string>();

  constructor(base: string) {
    this.base = base;
  }

  async send(
    method: string,
    target: string,
    { fields, headers = {} }: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
  ): Promise<Seen> {
    const url = new URL(target, this.base);
    const response = await fetch(url, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'text/html,application/xhtml+xml',
        ...(this.cookies.size === 0
          ? {}
          : { cookie: [...this.cookies].map((pair) => pair.join('=')).join('; ') }),
        ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
    });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      this.cookies.set(name, value);
    }
    return { url: url.href, status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Opens a page, following redirects within the platform. */
  async open(target: string): Promise<Seen> {
    return this.follow(await this.send('GET', target));
  }

  async follow(seen: Seen): Promise<Seen> {
    const location = seen.headers.get('location');
    if (seen.status < 300 || seen.status >= 400 || location === null) return seen;
    const next = new URL(location, seen.url);
    return next.origin === new URL(this.base).origin ? this.open(next.href) : seen;
  }

  /** Fills in and sends the form for `action`. */
  async submit(seen: Seen, action: string, fields: Record<string, string>): Promise<Seen> {
    return this.follow(await this.send('POST', action, { fields: { ...formOf(seen, action), ...fields } }));
  }

  async signIn(seen: Seen, username: string, password: string): Promise<Seen> {
    return this.submit(seen, '/portal/sign-in', { username, password });
  }
}
