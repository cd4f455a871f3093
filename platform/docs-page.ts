// Serves the interactive documentation (docs/reference/gateway.md#documentation-page): Swagger UI, without
// external assets.
import { assetsRoute, type PublicPage } from './assets.ts';

/** Path of the page, at the gateway and at a component that runs on its own. */
export const DOCS = '/api/v1/docs';

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'node_modules/swagger-ui-dist/swagger-ui.css',
  'swagger-ui-bundle.js': 'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
  'start.js': 'platform/docs-page.js',
  'start.css': 'platform/docs-page.css',
};
/** Its assets are relative to it: a proxy may publish it below a prefix. */
const pageOf = (assets: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Cairn API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="${assets}/swagger-ui.css"><link rel="stylesheet" href="${assets}/start.css"></head>
<body><div id="docs"></div><script src="${assets}/swagger-ui-bundle.js"></script><script src="${assets}/start.js"></script></body>
</html>
`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export const docsRoutes = (): PublicPage[] => [
  {
    method: 'GET',
    path: DOCS,
    access: 'public',
    handle: ({ req, res }) => {
      // as the browser has it: a final slash, which routes do not see, is a level for what is relative to it
      const [at = ''] = (req.url ?? '').split('?', 1);
      const page = pageOf(at.endsWith('/') ? 'assets' : 'docs/assets');
      res
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': POLICY,
          'content-length': Buffer.byteLength(page),
        })
        .end(page);
    },
  },
  assetsRoute(`${DOCS}/assets`, FILES),
];
