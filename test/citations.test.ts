// Citations in comments and pages resolve: the documents exist, and have the cited headings.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../platform/project-root.ts';

const NOT_OURS = new Set(['node_modules', 'dist', 'build', '.git', 'data', 'generated', 'ga4gh', 'coverage']);
const CITES = /\.(?:ts|mjs|cjs|js|graphql|prisma|yaml|sql|md)$/;

function filesBelow(directory: string): string[] {
  return readdirSync(path.join(projectRoot, directory), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : filesBelow(file);
    return CITES.test(entry.name) ? [file] : [];
  });
}

/** A heading's anchor, as GitHub generates it. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-');

const anchors = new Map<string, ReadonlySet<string>>();

function anchorsOf(page: string): ReadonlySet<string> {
  const known = anchors.get(page);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(projectRoot, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '');
  const found = new Set<string>();
  for (const [, heading = ''] of text.matchAll(/^#{1,6} (.+)$/gm)) {
    const anchor = anchorOf(heading.trim());
    let unique = anchor;
    for (let i = 1; found.has(unique); i++) unique = `${anchor}-${i}`;
    found.add(unique);
  }
  anchors.set(page, found);
  return found;
}

const faultOf = (page: string, anchor: string | undefined): string | undefined => {
  if (!existsSync(path.join(projectRoot, page))) return `${page} is not there`;
  return anchor === undefined || anchorsOf(page).has(anchor) ? undefined : `${page} has no #${anchor}`;
};

const files = ['.'].flatMap(filesBelow);
const sources = files.filter((file) => !file.endsWith('.md') && !file.startsWith('prisma/migrations'));
const pages = files.filter((file) => file.endsWith('.md') && !file.startsWith('examples/cwl'));

test.each(sources)('every anchor that %s cites exists', (file) => {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  const cited = text.matchAll(/(?<![\w/.*-])((?:docs|client)\/[\w./-]+\.md)(?:#([\w-]+))?/g);
  expect([...cited].map(([, page = '', anchor]) => faultOf(page, anchor)).filter(Boolean)).toEqual([]);
});

test.each(pages)('every target that %s links to exists', (file) => {
  const text = readFileSync(path.join(projectRoot, file), 'utf8').replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, '');
  const faults = [...text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(
    ([, target = '', anchor]) => {
      const page = target === '' ? file : path.join(path.dirname(file), target);
      return faultOf(page, page.endsWith('.md') ? anchor : undefined);
    },
  );
  expect(faults.filter(Boolean)).toEqual([]);
});

/** The specification and the contract that the project was written for are not in the repository. */
test('no comment cites a document that is not in the repository', () => {
  const foreign = sources.filter(
    (file) =>
      file !== 'test/citations.test.ts' &&
      /\b(?:spec|contract|design) (?:[0-9]|«)/i.test(readFileSync(path.join(projectRoot, file), 'utf8')),
  );
  expect(foreign).toEqual([]);
});
