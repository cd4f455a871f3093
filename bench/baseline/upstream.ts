// The service behind the proxies: bodies of a fixed size from memory, with plain node:http.
import http from 'node:http';

const BODIES = new Map([
  ['/64k', Buffer.alloc(64 * 1024, 'cairn ')],
  ['/10m', Buffer.alloc(10 * 1024 * 1024, 'cairn ')],
]);

http
  .createServer((req, res) => {
    const body = BODIES.get(req.url ?? '') ?? Buffer.from('ok');
    res
      .writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': body.length })
      .end(body);
  })
  .listen(Number(process.env['PORT']), '127.0.0.1');
