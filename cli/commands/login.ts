// `cairn login` runs the device flow (RFC 8628). The tokens are stored in the user's configuration directory
// and are refreshed automatically.
import type { Command } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, apiOf, member } from '../api.ts';
import { ApiFailure } from '../api-failure.ts';
import { localCommand } from '../command.ts';
import { changeLogin, credentialsFile, type Login } from '../credentials.ts';
import { Failure } from '../failure.ts';
import { loginOf } from '../login-token.ts';
import { facts, paintFor, printerFor } from '../output.ts';
import type { Session } from '../session.ts';
import { addressOf, type TargetOptions } from '../target.ts';

const CLIENT = 'cli';
const GRANT = 'urn:ietf:params:oauth:grant-type:device_code';
const AUTH = '/api/v1/gateway/auth';

/** Polls until the request was decided. @throws Failure where it was denied or has expired */
async function poll(api: Api, deviceCode: string, seconds: number): Promise<Login> {
  for (let interval = seconds; ;) {
    await sleep(interval * 1000);
    try {
      return loginOf(
        await api.call({
          method: 'POST',
          path: `${AUTH}/token`,
          body: { grant_type: GRANT, client_id: CLIENT, device_code: deviceCode },
        }),
      );
    } catch (fault) {
      const code = fault instanceof ApiFailure ? fault.details['error'] : undefined;
      if (code === 'slow_down') interval += 5;
      else if (code === 'access_denied')
        throw new Failure('the request was denied', { error: code }, { cause: fault });
      else if (code === 'expired_token')
        throw new Failure(
          'the code expired before it was approved; run "cairn login" again',
          { error: code },
          { cause: fault },
        );
      else if (code !== 'authorization_pending') throw fault;
    }
  }
}

interface Options extends TargetOptions {
  readonly json?: boolean;
  readonly end?: boolean;
}

async function signOut(session: Session, options: Options, url: string, api: Api): Promise<void> {
  const printer = printerFor(session, options);
  let wasSignedIn = false;
  await changeLogin(session, url, async (login) => {
    wasSignedIn = login !== undefined;
    if (login !== undefined)
      await api.call({
        method: 'POST',
        path: `${AUTH}/token/revoke`,
        body: { token: login.refreshToken, token_type_hint: 'refresh_token' },
      });
    return undefined;
  });
  printer.answer({ url, signed_out: wasSignedIn }, () =>
    wasSignedIn ? `Signed out at ${url}.` : `Nobody was signed in at ${url}.`,
  );
}

export function loginCommand(session: Session): Command {
  return localCommand('login', 'sign in with a browser on this or another device', [
    'login',
    'login --url https://cairn.example.org',
    'login --end',
  ])
    .option(
      '--url <address>',
      'base address of the server (default: CAIRN_URL, otherwise the address in the configuration)',
    )
    .option('--end', 'sign out: revoke the stored tokens and delete them')
    .action(async (options: Options) => {
      const { url, own } = addressOf(session, options, false);
      const api = apiOf({ url, ...own });
      if (options.end === true) return signOut(session, options, url, api);
      const device = await api.call({ method: 'POST', path: `${AUTH}/device`, body: { client_id: CLIENT } });
      const paint = paintFor(session.stderr, session);
      session.stderr.write(
        [
          'Open this address in a browser, on any device, and approve:',
          '',
          `  ${paint.bold(String(member(device, 'verification_uri_complete')))}`,
          '',
          `The page shows the code ${paint.bold(String(member(device, 'user_code')))}. Waiting …`,
          '',
        ].join('\n'),
      );
      const login = await poll(
        api,
        String(member(device, 'device_code')),
        Number(member(device, 'interval')),
      );
      await changeLogin(session, url, async () => login);
      const said = { url, actor: login.actor, credentials: credentialsFile(session) };
      printerFor(session, options).answer(
        said,
        (colours) => `${colours.green('signed in')}\n${facts(colours, said)}`,
      );
    });
}
