// The device flow (RFC 8628, docs/reference/gateway.md#device-flow): a device code, a user code, and the
// answers while the device polls.
import { assertGrant, type Client, type Clients, DEFAULT_CLIENT, DEVICE_GRANT } from './clients.ts';
import type { Decider, DeviceCodeStore, PendingDevice } from './device-codes.store.ts';
import { OAuthError } from './oauth-error.ts';
import { generate, hashOf } from './opaque.ts';
import type { TokenAnswer, Tokens } from './tokens.service.ts';
import { generateUserCode, readUserCode, shownUserCode } from './user-code.ts';

/** Seconds. */
const LIFE = 600;
const INTERVAL = 5;

/** docs/reference/gateway.md#device-flow, RFC 8628, 3.2. */
export interface DeviceAnswer {
  readonly device_code: string;
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  readonly interval: number;
}

export interface DeviceCodes {
  /** @throws OAuthError `invalid_client`, `unauthorized_client` */
  start(clientId: string | undefined): Promise<DeviceAnswer>;
  /**
   * @throws OAuthError `authorization_pending`, `slow_down`, `access_denied`, `expired_token`,
   * `invalid_grant`
   */
  redeem(client: Client, deviceCode: string): Promise<TokenAnswer>;
  /** The pending request of a user code as it was typed. */
  find(typed: string): Promise<PendingDevice | undefined>;
  /** Whether the decision was in time and was the first. */
  decide(typed: string, by: Decider, isApproved: boolean): Promise<boolean>;
}

export interface DeviceCodesOptions {
  readonly store: DeviceCodeStore;
  readonly clients: Clients;
  readonly tokens: Tokens;
  /** Where people enter the code. */
  readonly verificationUri: () => string;
}

export function createDeviceCodes({
  store,
  clients,
  tokens,
  verificationUri,
}: DeviceCodesOptions): DeviceCodes {
  const insert = async (clientId: string): Promise<{ deviceCode: string; userCode: string }> => {
    for (;;) {
      // collisions among 20^8 codes hardly ever happen twice
      const { text, hash } = generate('dc_');
      const userCode = generateUserCode();
      if (await store.insert({ hash, userCode, clientId, intervalSeconds: INTERVAL, lifeSeconds: LIFE }))
        return { deviceCode: text, userCode };
    }
  };

  return {
    async start(clientId = DEFAULT_CLIENT) {
      const client = clients.find(clientId);
      if (client === undefined) throw new OAuthError('invalid_client', 'the client is unknown');
      assertGrant(client, DEVICE_GRANT);
      const { deviceCode, userCode } = await insert(client.id);
      const uri = verificationUri();
      const shown = shownUserCode(userCode);
      return {
        device_code: deviceCode,
        user_code: shown,
        verification_uri: uri,
        verification_uri_complete: `${uri}?user_code=${shown}`,
        expires_in: LIFE,
        interval: INTERVAL,
      };
    },
    async redeem(client, deviceCode) {
      assertGrant(client, DEVICE_GRANT);
      const redeemed = await tokens.forDevice(client, deviceCode);
      if (redeemed !== undefined) return redeemed;
      const poll = await store.notePoll(hashOf(deviceCode), client.id);
      if (poll === undefined || poll.status === 'redeemed')
        throw new OAuthError('invalid_grant', 'the device code is unknown or has already been redeemed');
      if (poll.status === 'denied') throw new OAuthError('access_denied', 'the request was denied');
      if (poll.expired) throw new OAuthError('expired_token', 'the device code has expired; start again');
      if (poll.status === 'approved') {
        // at this very moment, or by an account that has been disabled since
        const late = await tokens.forDevice(client, deviceCode);
        if (late !== undefined) return late;
        throw new OAuthError('access_denied', 'the user who approved the request no longer has access');
      }
      if (poll.early)
        throw new OAuthError(
          'slow_down',
          'polled too early; wait five seconds longer between polls from now on',
        );
      throw new OAuthError('authorization_pending', 'the request has not been approved yet');
    },
    async find(typed) {
      const userCode = readUserCode(typed);
      return userCode === undefined ? undefined : store.findPending(userCode);
    },
    async decide(typed, by, isApproved) {
      const userCode = readUserCode(typed);
      if (userCode === undefined) return false;
      return isApproved ? store.approve(userCode, by) : store.deny(userCode);
    },
  };
}
