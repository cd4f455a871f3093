// nginx as a reverse proxy. It keeps connections to the upstream open.
import { runNginx } from './run-nginx.ts';

const { PORT = '', UPSTREAM = '' } = process.env;

runNginx(
  () => `  upstream service { server ${new URL(UPSTREAM).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${PORT};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; }
  }`,
);
