// How a local Chromium is started: for screenshots and for tests.

/** It asks nobody for anything by itself, and needs no graphics card. */
export const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
