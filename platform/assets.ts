// Files that pages load, served by Express with all that caches and slow lines ask for: entity tags, conditions, ranges, compression.
import compression from 'compression';
import express, { type Request, type Response } from 'express';
import path from 'node:path';
import { DomainError } from './errors.ts';
import type { Handler } from './exchange.ts';
import { projectRoot } from './project-root.ts';

/** Something that anybody may get at a path; `{name}` in it is any segment. */
export interface PublicPage {
  readonly method: 'GET';
  readonly path: string;
  readonly access: 'public';
  readonly handle: Handler;
}

/** What `res.sendFile` refuses: conditions that do not hold (412), ranges beyond the end (416). */
interface Refusal {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `GET {prefix}/{name}` for anybody. `files`: by name, below the project's root; nothing else of their folders is served. */
export function assetsRoute(prefix: string, files: Readonly<Record<string, string>>): PublicPage {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.use(compression());
  for (const [name, file] of Object.entries(files)) {
    app.get(`${prefix}/${name}`, (_, res, next) => {
      res.sendFile(path.join(projectRoot, file), { maxAge: '1h' }, (error: unknown) => {
        if (!error || res.headersSent) return; // sent, or broken off by the client
        const { status, headers } = error as Refusal; // by the library's documentation
        if (status === 412 || status === 416) res.writeHead(status, headers).end();
        else next(error);
      });
    });
  }
  return {
    method: 'GET',
    path: `${prefix}/{name}`,
    access: 'public',
    handle: ({ req, res, path: asked }) =>
      new Promise((resolve, reject) => {
        res.once('close', resolve);
        app(req as Request, res as Response, (error: unknown) => {
          // Express makes them so
          reject(
            error instanceof Error
              ? error
              : new DomainError('route_not_found', `nothing is registered under ${asked}`),
          );
        });
      }),
  };
}
