// Answers a browser that was led to a path which does not exist, or has no page.
import type { RequestContext } from '../platform/request-context.ts';
import { html } from './html.ts';
import { basePath, sendPage } from './page.ts';
import { PATHS } from './targets.ts';

export const missingPage =
  (issuer: () => string) =>
  (ctx: RequestContext): void => {
    const base = basePath(issuer());
    sendPage(
      ctx,
      {
        title: 'There is no such page',
        status: 404,
        content: html`<p>
            ${
              ctx.path === '/graphql'
                ? 'Programs send their GraphQL requests here; its explorer is turned off on this server. Begin at the console.'
                : html`Nothing is found at <code>${ctx.path}</code>. Check the address, or begin at the
                    console.`
            }
          </p>
          <p><a class="button" href="${base}${PATHS.console}">Open the console</a></p>`,
      },
      base,
    );
  };
