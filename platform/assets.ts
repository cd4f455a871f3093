// Serves static files with Express, with entity tags, conditional requests, ranges and compression.
import compression from 'compression';
import express, { type Request, type Response } from 'express';
import path from 'node:path';
import { DomainError } from './errors.ts';
import type { Handler } from './request-context.ts';
import { projectRoot } from './project-root.ts';

/** A public page at a path; `{name}` in the path matches any segment. */
export interface PublicPage {
  readonly method: 'GET';
  readonly path: string;
  readonly access: 'public';
  readonly isAsset?: boolean;
  readonly handle: Handler;
}

/** The errors of `res.sendFile`: failed conditions (412), ranges beyond the end (416). */
interface Refusal {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Serves `GET {prefix}/{name}` publicly. `files`: paths below the project's root by name; no other files of
 * their directories are served.
 */
export function assetsRoute(prefix: string, files: Readonly<Record<string, string>>): PublicPage {
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.use(compression());
  for (const [name, file] of Object.entries(files)) {
    app.get(`${prefix}/${name}`, (_, res, next) => {
      res.sendFile(path.join(projectRoot, file), { maxAge: '1h' }, (error: unknown) => {
        if (!error || res.headersSent) return; // sent, or the client disconnected
        const { status, headers } = error as Refusal; // as the library documents it
        if (status === 412 || status === 416) res.writeHead(status, headers).end();
        else next(error);
      });
    });
  }
  return {
    method: 'GET',
    path: `${prefix}/{name}`,
    access: 'public',
    isAsset: true,
    handle: ({ req, res, path: asked }) =>
      new Promise((resolve, reject) => {
        res.once('close', resolve);
        app(req as Request, res as Response, (error: unknown) => {
          // Express creates errors with these fields.
          reject(
            error instanceof Error
              ? error
              : new DomainError('route_not_found', `there is no resource at ${asked}`),
          );
        });
      }),
  };
}
