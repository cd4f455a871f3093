// Serves the pages for sign-in, device codes and consent (docs/reference/gateway.md#sessions,
// docs/reference/gateway.md#device-flow, docs/reference/gateway.md#authorization-endpoint). The platform's
// functions in `deps` decide; the handlers read requests and send pages.
import { DomainError } from '../platform/errors.ts';
import { isLocalRequest } from '../platform/is-local-request.ts';
import type { RequestContext } from '../platform/request-context.ts';
import { redirect, sendStyle, STYLE_PATH } from './page.ts';
import {
  consentPage,
  decideDevicePage,
  deviceDonePage,
  enterCodePage,
  errorPage,
  homePage,
  onwardPage,
  signInPage,
  usedLinkPage,
} from './pages.ts';
import type { PortalDeps } from './deps.ts';
import { Refusal } from './refusal.ts';
import { ownTarget, PATHS } from './targets.ts';
import { Visit } from './visit.ts';

/** The shape of the edge's routes. The pages do not depend on anything else of the edge. */
export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public';
  readonly bodyLimit: number;
  readonly isAsset?: boolean;
  handle(ctx: RequestContext): Promise<void> | void;
}

const BODY_LIMIT = 64 * 1024;
const QUARTER_HOUR = '900';

const wantsPage = ({ req }: RequestContext): boolean => (req.headers.accept ?? '').includes('text/html');
const query = ({ search }: RequestContext): URLSearchParams => new URLSearchParams(search);

/** Creates a route that shows refusals as pages. Programs get errors in the gateway's format. */
function page(
  method: PortalRoute['method'],
  path: string,
  deps: PortalDeps,
  handle: (visit: Visit) => Promise<void> | void,
): PortalRoute {
  return {
    method,
    path,
    access: 'public',
    bodyLimit: BODY_LIMIT,
    async handle(ctx) {
      deps.checkHost(ctx.req);
      const visit = await Visit.of(ctx, deps);
      // After a link from another site, continue from our own page, so that the browser sends its cookie.
      if (method === 'GET' && visit.isFromElsewhere)
        return visit.show(onwardPage(visit.base + ctx.path + (ctx.search === '' ? '' : `?${ctx.search}`)));
      try {
        await handle(visit);
      } catch (error) {
        if (error instanceof Refusal) return visit.show(errorPage(error.title, error.message, error.status));
        if (!(error instanceof DomainError) || error.code === 'internal_error' || !wantsPage(ctx))
          throw error;
        visit.show(errorPage('The request failed', `${error.message}.`, error.status));
      }
    },
  };
}

function signInRoutes(deps: PortalDeps): readonly PortalRoute[] {
  return [
    page('GET', PATHS.home, deps, (visit) =>
      visit.show(visit.identity === undefined ? signInPage(visit, { target: PATHS.home }) : homePage(visit)),
    ),
    page('GET', PATHS.signIn, deps, (visit) =>
      visit.show(signInPage(visit, { target: ownTarget(query(visit.ctx).get('continue')) })),
    ),
    page('POST', PATHS.signIn, deps, async (visit) => {
      const fields = await visit.form();
      const [name, target] = [fields.get('username') ?? '', ownTarget(fields.get('continue'))];
      const outcome = await deps.signIn(
        name,
        fields.get('password') ?? '',
        visit.ctx.ip,
        visit.ctx.requestId,
      );
      if (outcome === 'later') {
        visit.ctx.res.setHeader('retry-after', QUARTER_HOUR);
        return visit.show(
          signInPage(visit, {
            target,
            name,
            status: 429,
            fault: 'There were too many failed attempts. Try again in 15 minutes.',
          }),
        );
      }
      if (outcome === 'wrong')
        return visit.show(
          signInPage(visit, { target, name, status: 401, fault: 'The user name or password is wrong.' }),
        );
      await visit.signIn({ identity: outcome, isLocal: true, keyId: null });
      redirect(visit.ctx, visit.base + target);
    }),
    page('POST', PATHS.signOut, deps, async (visit) => {
      await visit.form();
      await visit.signOut();
      redirect(visit.ctx, visit.base + PATHS.signIn);
    }),
  ];
}

/**
 * The link that `cairn start` and `cairn open` print: valid once, on this machine only, and only where it was
 * opened by its reader, so that no other page can sign a browser in.
 */
const linkRoute = (deps: PortalDeps): PortalRoute =>
  page('GET', PATHS.open, deps, async (visit) => {
    const { ctx } = visit;
    const site = ctx.req.headers['sec-fetch-site'];
    if (!isLocalRequest(ctx.req))
      throw new Refusal(
        403,
        'This link works on its own machine only',
        'Open it in a browser on the machine where the server runs, or sign in with a user name and password.',
      );
    if (site !== undefined && site !== 'none' && site !== 'same-origin')
      throw new Refusal(
        403,
        'Open the link yourself',
        'Another page led here. Copy the link from the terminal into the address bar.',
      );
    // what looks at links before people follow them does not use one up
    if (ctx.req.method === 'HEAD') {
      ctx.res.writeHead(200, { 'content-length': 0, 'cache-control': 'no-store' }).end();
      return;
    }
    const opening = await deps.takeLink(query(ctx).get('code') ?? '', ctx.requestId);
    if (opening === undefined) return visit.show(usedLinkPage());
    await visit.signIn(opening);
    redirect(ctx, '../console'); // relative: this machine reaches it without the prefix of a proxy
  });

/** The routes for signing in at the identity provider. */
function providerRoutes(deps: PortalDeps): readonly PortalRoute[] {
  const { provider } = deps;
  if (provider === undefined) return [];
  const returnTo = (): string => deps.issuer() + PATHS.callback;
  return [
    page('GET', PATHS.provider, deps, async (visit) => {
      const target = ownTarget(query(visit.ctx).get('continue'));
      if (visit.identity === undefined) visit.renew(); // each attempt has a new cookie
      redirect(visit.ctx, (await provider.begin(visit.attempt(target), returnTo())).href);
    }),
    page('GET', PATHS.callback, deps, async (visit) => {
      const { ctx } = visit;
      const currentUrl = new URL(`${returnTo()}?${ctx.search}`);
      const state = currentUrl.searchParams.get('state') ?? '';
      const target = Buffer.from(state.slice(state.indexOf('.') + 1), 'base64url').toString('utf8');
      const attempt = visit.attempt(ownTarget(target));
      if (!visit.isKnown || state !== attempt.state)
        throw new Refusal(
          400,
          'This sign-in has expired',
          'It was started in another browser, or too long ago. Start again.',
        );
      await visit.signIn({
        identity: await provider.complete(currentUrl, attempt),
        isLocal: false,
        keyId: null,
      });
      redirect(ctx, visit.base + ownTarget(target));
    }),
  ];
}

function deviceRoutes(deps: PortalDeps): readonly PortalRoute[] {
  const wrong = 'No device is waiting for this code. Check the code, or start again at the device.';
  return [
    page('GET', PATHS.device, deps, (visit) => {
      const { ctx } = visit;
      const typed = query(ctx).get('user_code')?.slice(0, 20);
      if (visit.identity !== undefined)
        return visit.show(enterCodePage(visit, typed === undefined ? {} : { typed }));
      const target =
        typed === undefined
          ? PATHS.device
          : `${PATHS.device}?${new URLSearchParams({ user_code: typed }).toString()}`;
      visit.show(signInPage(visit, { target: ownTarget(target) }));
    }),
    page('POST', PATHS.device, deps, async (visit) => {
      const typed = (await visit.form()).get('user_code') ?? '';
      if (visit.identity === undefined)
        return visit.show(signInPage(visit, { target: PATHS.device, status: 401 }));
      const outcome = await deps.enterUserCode(visit.cookie, typed);
      if (outcome === 'locked')
        throw new Refusal(
          403,
          'Too many wrong codes',
          'This session may not enter more codes. Sign out, sign in again, and start again at the device.',
        );
      if (outcome === 'wrong')
        return visit.show(enterCodePage(visit, { typed: typed.slice(0, 20), fault: wrong, status: 400 }));
      visit.show(decideDevicePage(visit, outcome));
    }),
    page('POST', PATHS.deviceDecision, deps, async (visit) => {
      const { identity } = visit;
      const fields = await visit.form();
      if (identity === undefined) return visit.show(signInPage(visit, { target: PATHS.device, status: 401 }));
      // The code comes from the form, so it counts as an entry like any other.
      const outcome = await deps.enterUserCode(visit.cookie, fields.get('user_code') ?? '');
      const isApproved = fields.get('decision') === 'approve';
      if (
        outcome === 'locked' ||
        outcome === 'wrong' ||
        !(await deps.decideDevice(outcome.userCode, identity, isApproved))
      )
        throw new Refusal(
          400,
          'The code is no longer valid',
          'The code was already used or has expired. Start again at the device.',
        );
      visit.show(deviceDonePage(visit, isApproved));
    }),
  ];
}

function consentRoutes(deps: PortalDeps): readonly PortalRoute[] {
  const { authorization } = deps;
  return [
    page('GET', PATHS.authorize, deps, (visit) => {
      const { ctx } = visit;
      const { search } = ctx;
      const request = authorization.read(search);
      if ('redirect' in request) return redirect(ctx, request.redirect);
      const target = `${PATHS.authorize}?${search}`;
      if (ownTarget(target) !== target)
        throw new Refusal(
          400,
          'This request cannot continue',
          'The request is too long, or not encoded correctly, to be continued after the sign-in.',
        );
      if (visit.identity === undefined) return visit.show(signInPage(visit, { target }));
      visit.show(consentPage(visit, { clientId: request.clientId, target: request.redirectUri, search }));
    }),
    page('POST', PATHS.consent, deps, async (visit) => {
      const { ctx, identity } = visit;
      const fields = await visit.form();
      const search = fields.get('request') ?? '';
      if (identity === undefined)
        return visit.show(
          signInPage(visit, { target: ownTarget(`${PATHS.authorize}?${search}`), status: 401 }),
        );
      redirect(ctx, await authorization.decide(search, identity, fields.get('decision') === 'approve'));
    }),
  ];
}

export const portalRoutes = (deps: PortalDeps): readonly PortalRoute[] => [
  ...signInRoutes(deps),
  linkRoute(deps),
  ...providerRoutes(deps),
  ...deviceRoutes(deps),
  ...consentRoutes(deps),
  { method: 'GET', path: STYLE_PATH, access: 'public', bodyLimit: 0, isAsset: true, handle: sendStyle },
];
