// nginx as a server of files, one worker process, with its WebDAV module for uploads and its access log.
import { runNginx } from './run-nginx.ts';

const { PORT = '' } = process.env;

runNginx(
  ({ directory }) => `
  sendfile on;
  client_max_body_size 0;
  server {
    listen 127.0.0.1:${PORT};
    location / { root ${directory}/files; dav_methods PUT; create_full_put_path on; dav_access user:rw; }
  }`,
);
