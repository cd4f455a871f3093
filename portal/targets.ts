// Restricts the targets of a sign-in to our own pages, so that a link or form cannot redirect elsewhere.

export const PATHS = {
  home: '/portal',
  console: '/console',
  open: '/portal/open',
  signIn: '/portal/sign-in',
  signOut: '/portal/sign-out',
  provider: '/portal/sign-in/provider',
  callback: '/portal/callback',
  device: '/device',
  deviceDecision: '/device/decision',
  consent: '/portal/consent',
  authorize: '/api/v1/gateway/auth/authorize',
} as const;

/** One of our paths, with an optional query of visible ASCII without characters that browsers reinterpret. */
const TARGET =
  /^(?:\/portal|\/graphql|\/api\/v1\/docs|\/console(?:\/[\w.~%:@+,-]{1,500}){0,8}|\/device|\/api\/v1\/gateway\/auth\/authorize)(?:\?[\x21\x22\x24-\x5b\x5d-\x7e]{0,4096})?$/;

/** Returns the requested target where it is one of ours; else the portal's home page. */
export const ownTarget = (asked: string | null | undefined): string =>
  asked !== null && asked !== undefined && TARGET.test(asked) ? asked : PATHS.home;
