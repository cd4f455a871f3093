// NOTICE and the bill of materials match the installed packages and their licences.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

const read = (file: string): string => readFileSync(path.join(projectRoot, file), 'utf8');

interface Notice {
  readonly notice: () => string;
}
interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version: string;
        readonly license?: string;
        readonly dev?: boolean;
        readonly devOptional?: boolean;
        readonly optional?: boolean;
      }
    >
  >;
}
const lock = JSON.parse(read('package-lock.json')) as Lock;

test('NOTICE names every package that production installs: node scripts/notice.mjs writes it', async () => {
  // plain JavaScript
  const { notice } = (await import(path.join(projectRoot, 'scripts/notice.mjs'))) as Notice;
  expect(read('NOTICE')).toBe(notice());
  expect(read('NOTICE')).toContain('@apollo/gateway');
});

test('README says which packages are under no open-source licence', () => {
  const restricted = Object.entries(lock.packages)
    .filter(([, { license }]) => license === 'Elastic-2.0')
    .map(([place]) => place.replace('node_modules/', ''));
  expect(restricted.length).toBe(5);
  const readme = read('README.md');
  for (const name of [...restricted, 'Elastic License 2.0']) expect(readme).toContain(name);
});

test('npm run sbom writes a CycloneDX bill of materials of what production installs', () => {
  const bill = JSON.parse(
    execFileSync('npm', ['run', '--silent', 'sbom'], {
      cwd: projectRoot,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { bomFormat: string; components: { name: string; group?: string; version: string }[] };
  expect(bill.bomFormat).toBe('CycloneDX');
  const named = new Set(bill.components.map(({ name, version }) => `${name} ${version}`));
  const missing = Object.entries(lock.packages)
    .filter(
      ([place, { dev, devOptional, optional, version }]) =>
        place !== '' &&
        !dev &&
        !devOptional &&
        !optional &&
        !named.has(`${place.slice(place.lastIndexOf('node_modules/') + 13)} ${version}`),
    )
    .map(([place]) => place);
  expect(missing).toEqual([]);
});
