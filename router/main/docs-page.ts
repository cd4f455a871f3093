// The interactive documentation (spec 1: development only): Swagger UI, served from here without outside assets.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Route } from '../edge/routes.ts';

const DOCS = '/api/v1/docs';
const ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};
const START = `window.onload = () => { window.ui = SwaggerUIBundle({ url: '/api/v1/openapi.json', dom_id: '#docs', deepLinking: true, persistAuthorization: false, tryItOutEnabled: true, validatorUrl: null }); };`;
const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Cairn API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${DOCS}/assets/swagger-ui.css"></head>
<body><div id="docs"></div><script src="${DOCS}/assets/swagger-ui-bundle.js"></script><script src="${DOCS}/assets/start.js"></script></body>
</html>
`;
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

function asset(directory: string, name: string, type: string): Route {
  const body = readFileSync(path.join(directory, name));
  return { method: 'GET', path: `${DOCS}/assets/${name}`, access: 'public', handle: ({ res }) => { res.writeHead(200, { 'content-type': type, 'content-length': body.length, 'cache-control': 'public, max-age=3600' }).end(body); } };
}

export function docsRoutes(): Route[] {
  const directory = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  return [
    { method: 'GET', path: DOCS, access: 'public', handle: ({ res }) => { res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY, 'content-length': Buffer.byteLength(PAGE) }).end(PAGE); } },
    { method: 'GET', path: `${DOCS}/assets/start.js`, access: 'public', handle: ({ res }) => { res.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(START); } },
    ...Object.entries(ASSETS).map(([name, type]) => asset(directory, name, type)),
  ];
}
