// Where a sign-in leads on to: pages of ours, and nothing else, whatever a link or a form says.

export const PATHS = {
  home: '/portal',
  signIn: '/portal/sign-in',
  signOut: '/portal/sign-out',
  provider: '/portal/sign-in/provider',
  callback: '/portal/callback',
  device: '/device',
  deviceDecision: '/device/decision',
  consent: '/portal/consent',
  authorize: '/api/v1/gateway/auth/authorize',
} as const;

/** A path of ours, whole, and a query of visible ASCII without what browsers read as something else. */
const TARGET =
  /^(?:\/portal|\/device|\/api\/v1\/gateway\/auth\/authorize)(?:\?[\x21\x22\x24-\x5b\x5d-\x7e]{0,4096})?$/;

/** The target that was asked for, where it is one of ours; else the portal's own page. */
export const ownTarget = (asked: string | null | undefined): string =>
  asked !== null && asked !== undefined && TARGET.test(asked) ? asked : PATHS.home;
