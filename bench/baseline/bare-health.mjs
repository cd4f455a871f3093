// Answers every request at once: what a probe takes on this machine, with the load that is on it.
import http from 'node:http';

http.createServer((_, res) => res.end('alive')).listen(Number(process.env.PORT), '127.0.0.1');
