// The texts and forms of the pages. Each function renders its arguments and decides nothing.
import { COMMAND } from '../platform/command-name.ts';
import { type Html, html } from './html.ts';
import type { PageContent } from './page.ts';
import type { PendingDevice } from './deps.ts';
import { PATHS } from './targets.ts';
import type { Visit } from './visit.ts';

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;
const alarm = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="alarm" role="alert" id="alarm">${message}</p>`;
const describedBy = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html` aria-invalid="true" aria-describedby="alarm"`;
const visitorOf = (visit: Visit): PageContent['visitor'] =>
  visit.identity === undefined ? undefined : { identity: visit.identity, csrf: visit.csrf };
const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

export interface SignInState {
  readonly target: string;
  readonly name?: string;
  readonly fault?: string;
  readonly status?: number;
}

export function signInPage(
  visit: Visit,
  { target, name = '', fault, status = 200 }: SignInState,
): PageContent {
  const {
    base,
    csrf,
    deps: { provider },
  } = visit;
  const elsewhere =
    provider === undefined
      ? undefined
      : html`<p class="or">or</p>
          <a
            class="button second"
            href="${base}${PATHS.provider}?${new URLSearchParams({ continue: target }).toString()}"
            >Sign in with ${provider.name}</a
          >`;
  return {
    title: 'Sign in',
    status,
    content: html`${alarm(fault)}
      <form method="post" action="${base}${PATHS.signIn}">
        ${hidden('csrf', csrf)}${hidden('continue', target)}
        <label for="username">User name</label>
        <input
          id="username"
          name="username"
          value="${name}"
          autocomplete="username"
          autocapitalize="none"
          spellcheck="false"
          maxlength="100"
          required${describedBy(fault)}${name === '' ? html` autofocus` : undefined}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="1000"
          required${describedBy(fault)}${name === '' ? undefined : html` autofocus`}
        />
        <button>Sign in</button>
      </form>
      ${elsewhere}`,
  };
}

export const homePage = (visit: Visit): PageContent => ({
  title: 'You are signed in',
  visitor: visitorOf(visit),
  content: html`<p><a class="button" href="${visit.base}${PATHS.console}">Open the console</a></p>
    <p>To connect a device or a command line, enter the code that it shows.</p>
    <p><a class="button second" href="${visit.base}${PATHS.device}">Enter a code</a></p>`,
});

export const enterCodePage = (
  visit: Visit,
  { typed = '', fault, status = 200 }: { typed?: string; fault?: string; status?: number } = {},
): PageContent => ({
  title: 'Connect a device',
  status,
  visitor: visitorOf(visit),
  content: html`${alarm(fault)}
    <form method="post" action="${visit.base}${PATHS.device}">
      ${hidden('csrf', visit.csrf)}
      <label for="user_code">Code shown by the device</label>
      <input
        class="code"
        id="user_code"
        name="user_code"
        value="${typed}"
        placeholder="XXXX-XXXX"
        autocomplete="off"
        autocapitalize="characters"
        spellcheck="false"
        maxlength="20"
        required
        autofocus${describedBy(fault)}
      />
      <button>Continue</button>
    </form>`,
});

export const decideDevicePage = (visit: Visit, { userCode, clientId }: PendingDevice): PageContent => ({
  title: 'Connect this device?',
  visitor: visitorOf(visit),
  content: html`<p>
      <strong>${clientId}</strong> wants to act as you, with all your rights. Approve only if you started the
      request, and the device shows this code:
    </p>
    <span class="code big">${shownCode(userCode)}</span>
    <form method="post" action="${visit.base}${PATHS.deviceDecision}">
      ${hidden('csrf', visit.csrf)}${hidden('user_code', userCode)}
      <div class="choices">
        <button class="second" name="decision" value="deny">Deny</button
        ><button name="decision" value="approve">Approve</button>
      </div>
    </form>`,
});

export const deviceDonePage = (visit: Visit, isApproved: boolean): PageContent => ({
  title: isApproved ? 'The device is connected' : 'The request is denied',
  visitor: visitorOf(visit),
  content: isApproved
    ? html`<p>The device continues within a few seconds. You can close this page.</p>`
    : html`<p>The device gets no access. You can close this page.</p>`,
});

/** @param target the client's redirect URL */
export function consentPage(
  visit: Visit,
  { clientId, target, search }: { clientId: string; target: string; search: string },
): PageContent {
  const { protocol, origin, host } = new URL(target);
  const formTarget = origin === 'null' ? protocol : origin;
  return {
    title: 'Allow access?',
    visitor: visitorOf(visit),
    formTarget,
    content: html`<p>
        <strong>${clientId}</strong> wants to act as you, with all your rights. You will be redirected to:
      </p>
      <dl>
        <dt>Address</dt>
        <dd class="code">${host === '' ? protocol : host}</dd>
      </dl>
      <form method="post" action="${visit.base}${PATHS.consent}">
        ${hidden('csrf', visit.csrf)}${hidden('request', search)}
        <div class="choices">
          <button class="second" name="decision" value="deny">Deny</button
          ><button name="decision" value="approve">Allow</button>
        </div>
      </form>`,
  };
}

/**
 * A page that redirects to one of our own URLs. After a link from another site, the browser sends the cookie
 * with this second request.
 */
export const onwardPage = (address: string): PageContent => ({
  title: 'One moment',
  refresh: address,
  content: html`<p><a class="button" href="${address}">Continue</a></p>`,
});

/** For a sign-in link that was used, or has expired: its reader may be signed in already. */
export const usedLinkPage = (): PageContent => ({
  title: 'This link is no longer valid',
  status: 403,
  content: html`<p role="alert">
      A link opens the console once, within ten minutes. "${COMMAND} open" prints a new one.
    </p>
    <p><a class="button" href="../console">Open the console</a></p>`,
});

export const errorPage = (title: string, message: string, status: number): PageContent => ({
  title,
  status,
  content: html`<p role="alert">${message}</p>`,
});
