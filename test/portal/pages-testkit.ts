// What the tests of the pages share.

export const COOKIE = 'cairn_session';
