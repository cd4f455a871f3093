// Serves the explorer: GraphiQL and its assets from this server only, under a content security policy that
// allows nothing else.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RequestContext } from '../../../platform/request-context.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import { assetsRoute } from '../../../platform/assets.ts';
import type { Route } from '../../edge/http/routes.ts';

const OWN = 'router/graphql/explorer';

/** Name below `/graphql/assets/` → file below the project root. */
const FILES: Readonly<Record<string, string>> = {
  'react.js': 'node_modules/react/umd/react.production.min.js',
  'react-dom.js': 'node_modules/react-dom/umd/react-dom.production.min.js',
  'graphiql.js': 'node_modules/graphiql/graphiql.min.js',
  'graphiql.css': 'node_modules/graphiql/graphiql.min.css',
  'query-builder.js': 'node_modules/@graphiql/plugin-explorer/dist/index.umd.js',
  'query-builder.css': 'node_modules/@graphiql/plugin-explorer/dist/style.css',
  'graphql-sse.js': 'node_modules/graphql-sse/umd/graphql-sse.min.js',
  'explorer.js': `${OWN}/explorer.js`,
  'explorer.css': `${OWN}/explorer.css`,
};

/**
 * GraphiQL's editor creates style elements and has fonts in its style sheet; scripts come from this server
 * only.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export interface Explorer {
  /** The page itself. */
  page(ctx: RequestContext): Promise<void>;
  readonly assets: Route;
}

export function createExplorer(): Explorer {
  let html: Promise<Buffer> | undefined;
  return {
    async page({ req, res }) {
      html ??= readFile(path.join(projectRoot, OWN, 'explorer.html'));
      const body = await html;
      res.writeHead(200, {
        'content-type': 'text/html; charset=utf-8',
        'content-length': body.length,
        'cache-control': 'no-store',
        vary: 'accept',
        'content-security-policy': POLICY,
      });
      res.end(req.method === 'HEAD' ? undefined : body);
    },
    assets: assetsRoute('/graphql/assets', FILES),
  };
}

/** A browser that navigates: it accepts HTML, and sends no query. */
export const wantsPage = ({ req, search }: RequestContext): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') &&
  (req.headers.accept ?? '').includes('text/html') &&
  !/(?:^|&)query=/.test(search);
