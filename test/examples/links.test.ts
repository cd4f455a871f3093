// Links in documents resolve.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../platform/project-root.ts';

const DOCUMENTS = [
  'README.md',
  'CHANGELOG.md',
  'docs/architecture.md',
  'docs/hazards.md',
  'docs/operations.md',
  'bench/README.md',
  'examples/1000-genomes/README.md',
  'examples/1000-genomes/SOURCES.md',
];

test.each(DOCUMENTS)('every file and folder that %s links to exists', (document) => {
  const file = path.join(projectRoot, document);
  const links = [...readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((link) => !/^https?:/.test(link));
  expect(links.filter((link) => !existsSync(path.resolve(path.dirname(file), link)))).toEqual([]);
});

test('the architecture page says of every folder of the project what is in it', () => {
  const page = readFileSync(path.join(projectRoot, 'docs/architecture.md'), 'utf8');
  const named = [
    'platform',
    'subgraphs/metadata',
    'router/edge',
    'rest-compat',
    'prisma',
    'cli',
    'client',
    'portal',
    'standalone',
    'bench',
    'examples',
    'test',
  ];
  expect(named.filter((folder) => !page.includes(`\`${folder}/\``))).toEqual([]);
});
