// Runs nginx with one worker process, like one Node process, and with its log of requests.
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const { DIRECTORY = '', NGINX = 'nginx' } = process.env;

/** @param http what its `http` block says more */
export function runNginx(http: (own: { readonly directory: string }) => string): void {
  const directory = path.join(DIRECTORY, 'nginx');
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `  ${name}_temp_path ${path.join(directory, name)};`)
    .join('\n');
  const config = path.join(directory, 'nginx.conf');
  writeFileSync(
    config,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}worker_processes 1;
pid ${path.join(directory, 'nginx.pid')};
error_log ${path.join(directory, 'error.log')};
daemon off;
events { worker_connections 1024; }
http {
${temporary}
  access_log ${path.join(directory, 'access.log')};
${http({ directory })}
}
`,
  );
  const child = spawn(NGINX, ['-c', config, '-p', directory, '-e', path.join(directory, 'error.log')], {
    stdio: 'inherit',
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill('SIGQUIT'));
  child.on('exit', (status) => process.exit(status ?? 1));
}
