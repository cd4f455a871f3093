// Express with http-proxy-middleware, set up as its documentation says, with keep-alive connections.
import express from 'express';
import http from 'node:http';
import { createProxyMiddleware } from 'http-proxy-middleware';

const app = express();
app.use(
  '/',
  createProxyMiddleware({
    target: process.env['UPSTREAM'] ?? '',
    changeOrigin: true,
    agent: new http.Agent({ keepAlive: true }),
  }),
);
app.listen(Number(process.env['PORT']), '127.0.0.1');
