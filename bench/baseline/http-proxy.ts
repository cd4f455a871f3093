// Express with http-proxy-middleware, as its documentation sets it up, over connections that are kept.
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
