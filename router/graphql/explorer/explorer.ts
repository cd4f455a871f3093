// Serves the explorer: GraphiQL and what it needs from this server alone, under a policy that lets nothing else in.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { DomainError } from '../../../platform/errors.ts';
import type { Exchange } from '../../../platform/exchange.ts';
import { projectRoot } from '../../../platform/project-root.ts';
import type { Route } from '../../edge/routes.ts';

const OWN = 'router/graphql/explorer';

/** Name below `/graphql/assets/` → file below the project root. */
const FILES: Readonly<Record<string, string>> = {
  'react.js': 'node_modules/react/umd/react.production.min.js',
  'react-dom.js': 'node_modules/react-dom/umd/react-dom.production.min.js',
  'graphiql.js': 'node_modules/graphiql/graphiql.min.js',
  'graphiql.css': 'node_modules/graphiql/graphiql.min.css',
  'explorer.js': `${OWN}/explorer.js`,
  'explorer.css': `${OWN}/explorer.css`,
};

/** GraphiQL's editor writes style elements and carries its fonts in its style sheet; scripts come from here only. */
const POLICY = [
  "default-src 'none'", "script-src 'self'", "style-src 'self' 'unsafe-inline'", "font-src 'self' data:", "img-src 'self' data:",
  "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

interface Asset { readonly type: string; readonly plain: Buffer; readonly zipped: Buffer }

const compress = promisify(gzip);

async function load(file: string): Promise<Asset> {
  const plain = await readFile(path.join(projectRoot, file));
  const type = file.endsWith('.css') ? 'text/css' : file.endsWith('.html') ? 'text/html' : 'text/javascript';
  return { type: `${type}; charset=utf-8`, plain, zipped: await compress(plain) };
}

function send({ req, res }: Exchange, { type, plain, zipped }: Asset, headers: Readonly<Record<string, string>>): void {
  const zip = /\bgzip\b/.test(req.headers['accept-encoding']?.toString() ?? '');
  const body = zip ? zipped : plain;
  if (zip) res.setHeader('content-encoding', 'gzip');
  res.writeHead(200, { ...headers, 'content-type': type, 'content-length': body.length, vary: 'accept-encoding', 'content-security-policy': POLICY });
  res.end(req.method === 'HEAD' ? undefined : body);
}

export interface Explorer {
  /** The page itself. */
  page(exchange: Exchange): Promise<void>;
  readonly assets: Route;
}

/** Files are read when first asked for. */
export function createExplorer(): Explorer {
  const loaded = new Map<string, Promise<Asset>>();
  const assetOf = (file: string): Promise<Asset> => {
    const known = loaded.get(file) ?? load(file);
    loaded.set(file, known);
    known.catch(() => loaded.delete(file));
    return known;
  };
  return {
    page: async (exchange) => send(exchange, await assetOf(`${OWN}/explorer.html`), { 'cache-control': 'no-store' }),
    assets: {
      method: 'GET',
      path: '/graphql/assets/{name}',
      access: 'public',
      async handle(exchange, { name = '' }) {
        const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined;
        if (file === undefined) throw new DomainError('route_not_found', `nothing is registered under ${exchange.path}`);
        send(exchange, await assetOf(file), { 'cache-control': 'public, max-age=3600' });
      },
    },
  };
}

/** A browser that has followed a link: it takes HTML, and brings no query to answer. */
export const wantsPage = ({ req, search }: Exchange): boolean =>
  (req.method === 'GET' || req.method === 'HEAD') && (req.headers.accept ?? '').includes('text/html') && !/(?:^|&)query=/.test(search);
