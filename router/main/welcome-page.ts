// The page at `/`: links to the documentation, and a first request to try.
import type { Route } from '../edge/http/routes.ts';

export interface WelcomeOptions {
  readonly version: string;
  readonly explorer: boolean;
  readonly docs: boolean;
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const page = ({ version, explorer, docs }: WelcomeOptions): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Cairn</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 4rem auto; padding: 0 1.5rem; }
  h1 { font-size: 1.75rem; margin-bottom: 0; } h1 small { font-size: 1rem; font-weight: 400; opacity: .75; }
  li { margin: .4rem 0; } pre { padding: 1rem; border: 1px solid currentColor; border-radius: .4rem; overflow-x: auto; }
</style></head>
<body><main>
<h1>Cairn <small>${version}</small></h1>
<p>A platform for research data: every sample, file and result one typed entity with a complete provenance.</p>
<ul>
  ${explorer ? '<li><a href="/graphql">GraphQL explorer</a></li>' : '<li>GraphQL at <code>POST /graphql</code></li>'}
  ${docs ? '<li><a href="/api/v1/docs">REST documentation</a></li>' : ''}
  <li><a href="/api/v1/openapi.json">OpenAPI description</a></li>
  <li><a href="/api/v1/gateway/health">Health</a></li>
</ul>
<p>With an API key in <code>CAIRN_KEY</code>:</p>
<pre>curl -H "X-Api-Key: $CAIRN_KEY" /api/v1/metadata/entities</pre>
</main></body>
</html>
`;

export function welcomeRoute(options: WelcomeOptions): Route {
  const body = page(options);
  return {
    method: 'GET',
    path: '/',
    access: 'public',
    handle: ({ res }) => {
      res
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': POLICY,
          'content-length': Buffer.byteLength(body),
        })
        .end(body);
    },
  };
}
