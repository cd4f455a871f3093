// Serves the console (docs/console.md): one page for all its views, and the assets that scripts/console.mjs
// has bundled, whose names change with their content.
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import accepts from 'accepts';
import { COMMAND, isBuilt } from '../../platform/command-name.ts';
import { DomainError } from '../../platform/errors.ts';
import { projectRoot } from '../../platform/project-root.ts';
import type { RequestContext } from '../../platform/request-context.ts';
import type { Params, Route } from '../edge/http/routes.ts';

const BUILT = path.join(projectRoot, 'dist', 'console');

interface Manifest {
  readonly main: string;
  readonly scheme: string;
  /** Reads PDFs, in a worker. */
  readonly pdfWorker: string;
  readonly style: string;
  /** What the application needs at once. */
  readonly preload: readonly string[];
  readonly files: Readonly<Record<string, unknown>>;
  /** What may follow `/console/`; the home page is the empty one. */
  readonly views: readonly string[];
}

export interface ConsoleOptions {
  readonly version: string;
  /** Which pages there are beside it. */
  readonly explorer: boolean;
  readonly docs: boolean;
  /** Whether people sign in here: not where everybody is administrator, nor where only keys are accepted. */
  readonly signIn: 'sessions' | 'nobody' | 'keys';
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};
const ENCODINGS: Readonly<Record<string, string>> = { br: '.br', gzip: '.gz', identity: '' };

/**
 * Scripts and connections to this server only. Style elements need the page's nonce: the component library
 * creates one. The one trusted type is the address of the worker that reads PDFs.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "worker-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types cairn-pdf-worker',
  ].join('; ');

async function readManifest(): Promise<Manifest> {
  try {
    return JSON.parse(await readFile(path.join(BUILT, 'manifest.json'), 'utf8')) as Manifest; // scripts/console.mjs wrote it
  } catch (cause) {
    throw new DomainError(
      'component_unavailable',
      'the console has not been built: run node scripts/console.mjs',
      { component: 'console', upstream_status: null },
      { cause },
    );
  }
}

/** From a page at `at` back to the server's root, whatever prefix it is published under. */
const rootFrom = (at: string): string => '../'.repeat(at.split('/').length - 2) || './';

/** All values are ours: names of built files, and the options. */
function document(manifest: Manifest, options: ConsoleOptions, root: string, nonce: string): string {
  const asset = (name: string): string => `${root}console/assets/${name}`;
  const { version, explorer, docs, signIn } = options;
  return `<!doctype html>
<html lang="en" data-root="${root}" data-version="${version}" data-built="${isBuilt}" data-command="${COMMAND}" data-explorer="${explorer}" data-docs="${docs}" data-sign-in="${signIn}" data-pdf-worker="${asset(manifest.pdfWorker)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}">
<title>Cairn</title>
<link rel="icon" href="data:,">
<script src="${asset(manifest.scheme)}"></script>
<link rel="stylesheet" href="${asset(manifest.style)}">
${manifest.preload.map((name) => `<link rel="modulepreload" href="${asset(name)}">`).join('\n')}
<script type="module" src="${asset(manifest.main)}"></script>
</head>
<body><div id="console"><noscript>The console needs JavaScript. Programs use the API at /graphql and /api/v1.</noscript></div></body>
</html>
`;
}

async function sendPage({ req, res }: RequestContext, options: ConsoleOptions): Promise<void> {
  // as the browser has it: a final slash, which routes do not see, is a level for what is relative to it
  const [at = ''] = (req.url ?? '').split('?', 1);
  const nonce = randomBytes(16).toString('base64');
  const manifest = await readManifest();
  const body = document(manifest, options, rootFrom(at), nonce);
  const view = at.replace(/^\/console\/?|\/$/g, '');
  res
    // the page itself says which views there are
    .writeHead(manifest.views.includes(view) ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'cache-control': 'no-store',
      'content-security-policy': policy(nonce),
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
    .end(req.method === 'HEAD' ? undefined : body);
}

async function sendAsset({ req, res }: RequestContext, { name = '' }: Params): Promise<void> {
  const { files } = await readManifest();
  if (!Object.hasOwn(files, name))
    throw new DomainError('route_not_found', `the console has no file ${name}: reload the page`);
  const encoding = accepts(req).encoding(['br', 'gzip', 'identity']) || 'identity';
  const body = await readFile(path.join(BUILT, name + (ENCODINGS[encoding] ?? '')));
  res
    .writeHead(200, {
      'content-type': TYPES[path.extname(name)] ?? 'application/octet-stream',
      'content-length': body.length,
      'cache-control': 'public, max-age=31536000, immutable',
      // a worker has the policy of its own script: whatever a file makes it do, it loads nothing
      'content-security-policy': "default-src 'none'",
      vary: 'accept-encoding',
      ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
    })
    .end(req.method === 'HEAD' ? undefined : body);
}

export function consoleRoutes(options: ConsoleOptions): readonly Route[] {
  const page = (at: string): Route => ({
    method: 'GET',
    path: at,
    access: 'public',
    handle: (ctx) => sendPage(ctx, options),
  });
  return [
    page('/console'),
    page('/console/*'),
    { method: 'GET', path: '/console/assets/{name}', access: 'public', isAsset: true, handle: sendAsset },
    {
      method: 'GET',
      path: '/',
      access: 'public',
      handle: ({ res }) => {
        // relative: it also works below the prefix of a proxy
        res.writeHead(303, { location: 'console', 'content-length': 0, 'cache-control': 'no-store' }).end();
      },
    },
  ];
}
