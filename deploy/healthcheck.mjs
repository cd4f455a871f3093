// The health check of the image: whether the server in this container is ready, over https where it speaks TLS. It asks
// its own container and says only yes or no, so that the certificate may be any.
import http from 'node:http';
import https from 'node:https';

const asked = {
  host: '127.0.0.1',
  port: process.env.CAIRN_PORT || 8080,
  path: '/readyz',
  rejectUnauthorized: false,
};

/** The status of the answer; 0 without one. */
const statusOver = ({ get }) =>
  new Promise((resolve) => {
    get(asked, (answer) => resolve(answer.statusCode)).on('error', () => resolve(0));
  });

const status = await statusOver(http);
// 400 of a port that speaks TLS (docs/reference/gateway.md#tls)
process.exit((status === 400 ? await statusOver(https) : status) === 200 ? 0 : 1);
