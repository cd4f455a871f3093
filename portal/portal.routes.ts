// The pages that people see: sign-in, device codes, consent (contract 1.4). Requests come in, ports decide, pages go out.
import { DomainError } from '../platform/errors.ts';
import type { Exchange } from '../platform/exchange.ts';
import { redirect, sendPage, sendStyle, STYLE_PATH } from './page.ts';
import {
  consentPage,
  decideDevicePage,
  deviceDonePage,
  enterCodePage,
  errorPage,
  homePage,
  onwardPage,
  signInPage,
} from './pages.ts';
import type { PortalPorts } from './ports.ts';
import { Refusal } from './refusal.ts';
import { ownTarget, PATHS } from './targets.ts';
import { Visit } from './visit.ts';

/** As the edge's routes are; the pages know nothing else of the edge. */
export interface PortalRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly access: 'public';
  readonly bodyLimit: number;
  handle(exchange: Exchange): Promise<void> | void;
}

const BODY_LIMIT = 64 * 1024;
const QUARTER_HOUR = '900';

const wantsPage = ({ req }: Exchange): boolean => (req.headers.accept ?? '').includes('text/html');
const query = ({ search }: Exchange): URLSearchParams => new URLSearchParams(search);

/** Shows refusals as pages; to programs, errors in the gateway's shape. */
function page(
  method: PortalRoute['method'],
  path: string,
  ports: PortalPorts,
  handle: (visit: Visit) => Promise<void> | void,
): PortalRoute {
  return {
    method,
    path,
    access: 'public',
    bodyLimit: BODY_LIMIT,
    async handle(exchange) {
      ports.checkHost(exchange.req);
      const visit = await Visit.of(exchange, ports);
      // What another site has started goes on from a page of ours: then the browser brings its cookie.
      if (method === 'GET' && visit.isFromElsewhere)
        return sendPage(
          exchange,
          onwardPage(visit.base + exchange.path + (exchange.search === '' ? '' : `?${exchange.search}`)),
          visit.base,
        );
      try {
        await handle(visit);
      } catch (error) {
        if (error instanceof Refusal)
          return sendPage(exchange, errorPage(error.title, error.message, error.status), visit.base);
        if (!(error instanceof DomainError) || error.code === 'internal_error' || !wantsPage(exchange))
          throw error;
        sendPage(exchange, errorPage('This did not work', `${error.message}.`, error.status), visit.base);
      }
    },
  };
}

function signInRoutes(ports: PortalPorts): readonly PortalRoute[] {
  return [
    page('GET', PATHS.home, ports, (visit) =>
      sendPage(
        visit.exchange,
        visit.identity === undefined ? signInPage(visit, { target: PATHS.home }) : homePage(visit),
        visit.base,
      ),
    ),
    page('GET', PATHS.signIn, ports, (visit) =>
      sendPage(
        visit.exchange,
        signInPage(visit, { target: ownTarget(query(visit.exchange).get('continue')) }),
        visit.base,
      ),
    ),
    page('POST', PATHS.signIn, ports, async (visit) => {
      const fields = await visit.form();
      const [name, target] = [fields.get('username') ?? '', ownTarget(fields.get('continue'))];
      const outcome = await ports.signIn(
        name,
        fields.get('password') ?? '',
        visit.exchange.ip,
        visit.exchange.requestId,
      );
      if (outcome === 'later') {
        visit.exchange.res.setHeader('retry-after', QUARTER_HOUR);
        return sendPage(
          visit.exchange,
          signInPage(visit, {
            target,
            name,
            status: 429,
            fault: 'There were too many failed attempts. Wait a quarter of an hour.',
          }),
          visit.base,
        );
      }
      if (outcome === 'wrong')
        return sendPage(
          visit.exchange,
          signInPage(visit, { target, name, status: 401, fault: 'The user name or the password is wrong.' }),
          visit.base,
        );
      await visit.signIn(outcome, true);
      redirect(visit.exchange, visit.base + target);
    }),
    page('POST', PATHS.signOut, ports, async (visit) => {
      await visit.form();
      await visit.signOut();
      redirect(visit.exchange, visit.base + PATHS.signIn);
    }),
  ];
}

/** The way by the identity provider and back. */
function providerRoutes(ports: PortalPorts): readonly PortalRoute[] {
  const { provider } = ports;
  if (provider === undefined) return [];
  const returnTo = (): string => ports.issuer() + PATHS.callback;
  return [
    page('GET', PATHS.provider, ports, async (visit) => {
      const target = ownTarget(query(visit.exchange).get('continue'));
      if (visit.identity === undefined) visit.renew(); // each attempt has a cookie of its own
      redirect(visit.exchange, (await provider.begin(visit.attempt(target), returnTo())).href);
    }),
    page('GET', PATHS.callback, ports, async (visit) => {
      const { exchange } = visit;
      const currentUrl = new URL(`${returnTo()}?${exchange.search}`);
      const state = currentUrl.searchParams.get('state') ?? '';
      const target = Buffer.from(state.slice(state.indexOf('.') + 1), 'base64url').toString('utf8');
      const attempt = visit.attempt(ownTarget(target));
      if (!visit.isKnown || state !== attempt.state)
        throw new Refusal(
          400,
          'This sign-in is out of date',
          'It was begun in another browser, or too long ago. Start again.',
        );
      await visit.signIn(await provider.complete(currentUrl, attempt), false);
      redirect(exchange, visit.base + ownTarget(target));
    }),
  ];
}

function deviceRoutes(ports: PortalPorts): readonly PortalRoute[] {
  const wrong = 'No device waits for this code. Look at it again, or start anew.';
  return [
    page('GET', PATHS.device, ports, (visit) => {
      const { exchange, base } = visit;
      const typed = query(exchange).get('user_code')?.slice(0, 20);
      if (visit.identity !== undefined)
        return sendPage(exchange, enterCodePage(visit, typed === undefined ? {} : { typed }), base);
      const target =
        typed === undefined
          ? PATHS.device
          : `${PATHS.device}?${new URLSearchParams({ user_code: typed }).toString()}`;
      sendPage(exchange, signInPage(visit, { target: ownTarget(target) }), base);
    }),
    page('POST', PATHS.device, ports, async (visit) => {
      const { exchange, base } = visit;
      const typed = (await visit.form()).get('user_code') ?? '';
      if (visit.identity === undefined)
        return sendPage(exchange, signInPage(visit, { target: PATHS.device, status: 401 }), base);
      const outcome = await ports.enterUserCode(visit.cookie, typed);
      if (outcome === 'locked')
        throw new Refusal(
          403,
          'Too many wrong codes',
          'This session may enter no more codes. Sign out, sign in again, and start anew at the device.',
        );
      if (outcome === 'wrong')
        return sendPage(
          exchange,
          enterCodePage(visit, { typed: typed.slice(0, 20), fault: wrong, status: 400 }),
          base,
        );
      sendPage(exchange, decideDevicePage(visit, outcome), base);
    }),
    page('POST', PATHS.deviceDecision, ports, async (visit) => {
      const { exchange, base, identity } = visit;
      const fields = await visit.form();
      if (identity === undefined)
        return sendPage(exchange, signInPage(visit, { target: PATHS.device, status: 401 }), base);
      // The code comes from the form, so it is an entry like any other.
      const outcome = await ports.enterUserCode(visit.cookie, fields.get('user_code') ?? '');
      if (outcome === 'locked' || outcome === 'wrong')
        throw new Refusal(
          400,
          'Too late',
          'The code was used already, or its time is up. Start anew at the device.',
        );
      const isApproved = fields.get('decision') === 'approve';
      if (!(await ports.decideDevice(outcome.userCode, identity, isApproved)))
        throw new Refusal(
          400,
          'Too late',
          'The code was used already, or its time is up. Start anew at the device.',
        );
      sendPage(exchange, deviceDonePage(visit, isApproved), base);
    }),
  ];
}

function consentRoutes(ports: PortalPorts): readonly PortalRoute[] {
  const { authorization } = ports;
  return [
    page('GET', PATHS.authorize, ports, (visit) => {
      const { exchange, base } = visit;
      const { search } = exchange;
      const request = authorization.read(search);
      if ('redirect' in request) return redirect(exchange, request.redirect);
      const target = `${PATHS.authorize}?${search}`;
      if (ownTarget(target) !== target)
        throw new Refusal(
          400,
          'This request cannot go on',
          'It is too long, or not encoded, to be carried through a sign-in.',
        );
      if (visit.identity === undefined) return sendPage(exchange, signInPage(visit, { target }), base);
      sendPage(
        exchange,
        consentPage(visit, { clientId: request.clientId, target: request.redirectUri, search }),
        base,
      );
    }),
    page('POST', PATHS.consent, ports, async (visit) => {
      const { exchange, base, identity } = visit;
      const fields = await visit.form();
      const search = fields.get('request') ?? '';
      if (identity === undefined)
        return sendPage(
          exchange,
          signInPage(visit, { target: ownTarget(`${PATHS.authorize}?${search}`), status: 401 }),
          base,
        );
      redirect(exchange, await authorization.decide(search, identity, fields.get('decision') === 'approve'));
    }),
  ];
}

export const portalRoutes = (ports: PortalPorts): readonly PortalRoute[] => [
  ...signInRoutes(ports),
  ...providerRoutes(ports),
  ...deviceRoutes(ports),
  ...consentRoutes(ports),
  { method: 'GET', path: STYLE_PATH, access: 'public', bodyLimit: 0, handle: sendStyle },
];
