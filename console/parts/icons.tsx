// Line icons of 16 by 16, beside text that says the same.
import type { ReactNode } from 'react';

const PATHS = {
  home: 'M2.5 7 8 2.5 13.5 7v6.5h-4v-4h-3v4h-4z',
  entities: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 6.5v6',
  types: 'M3 2.5h7L13 5.5v8H3zM5.5 7h5M5.5 9.5h5',
  runs: 'M8 2.5a5.5 5.5 0 1 0 5.5 5.5M8 5v3.2l2.2 1.5M10.5 2.5h3v3',
  rules: 'M4 2.5v4M4 9.5v4M12 2.5v2M12 8v5.5M2.5 6.5h3v3h-3zM10.5 4.5h3v3h-3zM5.5 8h2.5l2.5-2',
  lineage: 'M2.5 6.5h3v3h-3zM10.5 2.5h3v3h-3zM10.5 10.5h3v3h-3zM5.5 8h2.5M8 4h2.5M8 12h2.5M8 4v8',
  admin: 'M8 2.2 13 4v4c0 3-2.2 5-5 6-2.8-1-5-3-5-6V4zM6 8l1.5 1.5L10.5 6.5',
  explorer: 'M5 4 1.5 8 5 12M11 4l3.5 4L11 12M9.2 3 6.8 13',
  docs: 'M2.5 3.5c2 0 4 .3 5.5 1.5 1.5-1.2 3.5-1.5 5.5-1.5v9c-2 0-4 .3-5.5 1.5-1.5-1.2-3.5-1.5-5.5-1.5zM8 5v9',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11M8 5v3.2l2.3 1.4',
  project: 'M2.5 4.5h4l1.5 1.5h5.5v6.5h-11z',
  search: 'M7 2.8a4.2 4.2 0 1 0 0 8.4 4.2 4.2 0 0 0 0-8.4M10 10l3.5 3.5',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6M8 1.5v1.6M8 12.9v1.6M1.5 8h1.6M12.9 8h1.6M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M3.4 12.6l1.1-1.1M11.5 4.5l1.1-1.1',
  moon: 'M13 9.6A5.5 5.5 0 1 1 6.4 3 4.4 4.4 0 0 0 13 9.6',
  menu: 'M2.5 4.5h11M2.5 8h11M2.5 11.5h11',
  user: 'M8 3a2.6 2.6 0 1 0 0 5.2A2.6 2.6 0 0 0 8 3M3 13.5c.4-2.4 2.4-3.6 5-3.6s4.6 1.2 5 3.6',
  down: 'M4 6.5 8 10.5 12 6.5',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  import: 'M8 10.2V2.7M4.8 5.7 8 2.5l3.2 3.2M2.5 10v3.5h11V10',
  download: 'M8 2.5v7.5M4.8 7 8 10.2 11.2 7M3 13.5h10',
  spinner: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  filter: 'M2.5 3.5h11L9.5 8.5v4l-3 1.2V8.5z',
  edit: 'M3 13l.6-2.8L10.8 3l2.2 2.2-7.2 7.2z',
  play: 'M4.5 3v10l8-5z',
} as const;
export type IconName = keyof typeof PATHS;

export const Icon = ({
  name,
  spins = false,
}: {
  readonly name: IconName;
  readonly spins?: boolean;
}): ReactNode => (
  <svg
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.4"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    {...(spins ? { className: 'spin' } : {})}
  >
    <path d={PATHS[name]} />
  </svg>
);

export const Logo = (): ReactNode => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <ellipse cx="16" cy="26" rx="12" ry="4.5" />
    <ellipse cx="15" cy="17" rx="8.5" ry="4" />
    <ellipse cx="16.5" cy="9.5" rx="5.5" ry="3" />
  </svg>
);
