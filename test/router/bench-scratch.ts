import { createServer } from 'node:http';
import { createSupergraph } from '../../router/execution/supergraph.ts';
import { createGraphqlEndpoint } from '../../router/graphql/endpoint.ts';
import { createLibrary, log, permissions, caller } from './library.ts';
const mode = process.argv[2];
const s = await createSupergraph({ components: createLibrary(), permissions, log });
const e = await createGraphqlEndpoint({ supergraph: s, log, introspection: true, explorer: true, bodyLimit: 1e6, shortcut: mode === 'fast' });
const post = e.routes.find((r) => r.method === 'POST' && r.path === '/graphql')!;
createServer((req, res) => {
  const x = { req, res, requestId: caller.requestId, path: '/graphql', search: '', ip: '', caller, template: '', bodyLimit: 1e6 } as never;
  if (mode !== 'bare') void post.handle(x, {});
  else { let b = ''; req.on('data', (c) => b += c); req.on('end', () => { JSON.parse(b); const t = '{"data":{"book":{"id":"b1","title":"Engines"}}}'; res.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': Buffer.byteLength(t) }).end(t); }); }
}).listen(Number(process.argv[3]), '127.0.0.1');
