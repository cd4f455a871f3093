// nginx as a reverse proxy with one worker process, like one Node process. It keeps connections to the
// upstream open and logs requests.
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { PORT = '', UPSTREAM = '', DIRECTORY = '', NGINX = 'nginx' } = process.env;
const directory = path.join(DIRECTORY, 'nginx');
mkdirSync(directory, { recursive: true });
const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  .map((name) => `  ${name}_temp_path ${path.join(directory, name)};`)
  .join('\n');
const config = path.join(directory, 'nginx.conf');
writeFileSync(
  config,
  `worker_processes 1;
pid ${path.join(directory, 'nginx.pid')};
error_log ${path.join(directory, 'error.log')};
daemon off;
events { worker_connections 1024; }
http {
${temporary}
  access_log ${path.join(directory, 'access.log')};
  upstream service { server ${new URL(UPSTREAM).host}; keepalive 64; }
  server {
    listen 127.0.0.1:${PORT};
    location / { proxy_pass http://service; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_max_temp_file_size 0; }
  }
}
`,
);

const child = spawn(NGINX, ['-c', config, '-p', directory, '-e', path.join(directory, 'error.log')], {
  stdio: 'inherit',
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill('SIGQUIT'));
child.on('exit', (status) => process.exit(status ?? 1));
