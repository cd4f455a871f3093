// gateway.yaml at the root is the reference of the configuration: it is complete, and everything in it is
// valid.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { adapter } from '../../platform/config/adapter-definition.ts';
import { validator } from '../../platform/config/component-sections.ts';
import { type Config, parseConfig, root } from '../../platform/config/load-config.ts';
import { component } from '../../platform/config/service-sections.ts';
import { trigger } from '../../platform/config/trigger-definition.ts';
import { projectRoot } from '../../platform/project-root.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'cairn-reference-'));
afterAll(() => rmSync(directory, { recursive: true }));
writeFileSync(path.join(directory, 'triggers.yaml'), 'triggers: []\n');
writeFileSync(path.join(directory, 'rules.yaml'), 'name: empty\nrules: []\n');

const reference = readFileSync(path.join(projectRoot, 'gateway.yaml'), 'utf8');
const lines = reference.split('\n');
const ENV = Object.fromEntries(
  [...reference.matchAll(/_env: ([A-Z0-9_]+)/g)].map(([, name = '']) => [name, `the value of ${name}`]),
);
const parse = (text: string): Config =>
  parseConfig(text, path.join(directory, 'gateway.yaml'), { env: ENV, cwd: directory });

const switchedOn = lines
  .filter((line) => !line.startsWith('##') && !line.startsWith('#|'))
  .map((line) => line.replace(/^#/, ''));

test('as it stands, it says what the defaults are', () => {
  const said = ({ settings, ...config }: Config): unknown => [
    config,
    settings.map(({ key, value }) => [key, value]),
  ];
  expect(said(parse(reference))).toEqual(said(parse('')));
});

test('with every commented key switched on, it is valid', () => {
  const config = parse(switchedOn.join('\n'));
  expect(config.workflow.triggers.map((t) => t.type).sort()).toEqual([
    'event',
    'internal_event',
    'manual',
    'metadata_poll',
    'schedule',
    'webhook',
  ]);
  expect(config.auth.identityProvider?.projects.map['data-office']).toBe('*');
  expect(config.components['beacon']?.kind).toBe('rest');
});

test.each(lines.filter((line) => line.startsWith('#|')).map((line) => [line.slice(2)]))(
  'another way to write a key is valid:%s',
  (alternative) => {
    const key = /^\s*\w+:/.exec(alternative)?.[0] ?? 'no key';
    const changed = switchedOn.map((line) => (line.startsWith(key) ? alternative : line));
    expect(changed).toContain(alternative);
    expect(parse(changed.join('\n')).file).toBe(path.join(directory, 'gateway.yaml'));
  },
);

/** The names of all keys of a schema, at any depth. */
function keysOf(schema: z.core.$ZodType, found = new Set<string>()): Set<string> {
  // The union of all of zod's own definitions.
  const def = schema._zod.def as z.core.$ZodTypes['_zod']['def'];
  if (def.type === 'object') {
    for (const [key, inner] of Object.entries(def.shape)) {
      found.add(key);
      keysOf(inner, found);
    }
  } else if (def.type === 'pipe') {
    keysOf(def.in, found);
    keysOf(def.out, found);
  } else if (def.type === 'optional' || def.type === 'default' || def.type === 'prefault')
    keysOf(def.innerType, found);
  else if (def.type === 'array') keysOf(def.element, found);
  else if (def.type === 'union') for (const option of def.options) keysOf(option, found);
  return found;
}

const scope = { env: ENV, directory };
const keys = [root(scope), component('metadata'), trigger(scope), adapter(scope), validator(scope)].flatMap(
  (schema) => [...keysOf(schema)],
);

/** Lists of files, which are read with the configuration. */
const READ_WITH_THE_FILE = ['include', 'rule_packages'];

test('every key has an effect: some code reads it', () => {
  const folders = ['cli', 'platform', 'portal', 'rest-compat', 'router', 'standalone', 'subgraphs'];
  const code = folders
    .flatMap((folder) =>
      readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
        .map((name) => path.join(folder, name)),
    )
    .filter((file) => !file.startsWith(path.join('platform', 'config')))
    .map((file) => readFileSync(path.join(projectRoot, file), 'utf8'))
    .join('\n');
  const property = (key: string): string =>
    key.replace(/_env$/, '').replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const idle = [...new Set(keys)].filter(
    (key) => !READ_WITH_THE_FILE.includes(key) && !new RegExp(`\\b${property(key)}\\b`).test(code),
  );
  expect(idle).toEqual([]);
});

test('it lists every key', () => {
  expect(keys.length).toBeGreaterThan(120);
  const shown = new Set([...reference.matchAll(/([a-z_0-9]+):(?=\s|$)/g)].map(([, key]) => key));
  expect([...new Set(keys)].filter((key) => !shown.has(key))).toEqual([]);
});
