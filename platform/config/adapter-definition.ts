// Defines an adapter in the configuration: where records come from and which entity each becomes
// (docs/reference/workflow.md#adapters).
import path from 'node:path';
import { z } from 'zod';
import type { Origin } from './faults.ts';
import { section } from './section.ts';
import { count, expression, filePath, name, type Scope, seconds, nonEmptyText, url } from './values.ts';

/**
 * A file, relative to the document, or an http(s) URL; `{since}` in it is replaced by the time of the last
 * run.
 */
const source = (scope: Scope) =>
  nonEmptyText().transform((value, context) => {
    if (!value.includes('://')) return { file: path.resolve(scope.directory, value) } as const;
    if (/^https?:\/\//.test(value) && URL.canParse(value)) return { url: value } as const;
    context.addIssue({ code: 'custom', message: 'must be a file path or an http or https URL' });
    return z.NEVER;
  });

const headers = () => z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), z.string()).default({});

const pageSize = { size: count(1, 100_000).optional(), size_parameter: nonEmptyText().optional() };

/** How the next page of an http API is found. `next` is a dotted path into the response. */
const paging = () =>
  z.discriminatedUnion('style', [
    section({ style: z.literal('next_url'), next: nonEmptyText(), ...pageSize }),
    section({
      style: z.literal('cursor'),
      next: nonEmptyText(),
      parameter: nonEmptyText().default('cursor'),
      ...pageSize,
    }),
    section({
      style: z.literal('page'),
      parameter: nonEmptyText().default('page'),
      first: count(0, 1).default(1),
      ...pageSize,
    }),
    section({ style: z.literal('offset'), parameter: nonEmptyText().default('offset'), ...pageSize }),
  ]);

export function adapter(scope: Scope) {
  const map = z
    .record(z.string(), expression())
    .refine((entries) => Object.keys(entries).length > 0, 'must map at least one field');
  const common = { name: name(), entity_type: nonEmptyText(), map };
  const remote = { headers: headers(), timeout_seconds: seconds().default(30) };
  return z.discriminatedUnion('type', [
    section({ ...common, ...remote, type: z.literal('csv'), source: source(scope) }),
    section({ ...common, ...remote, type: z.literal('tsv'), source: source(scope) }),
    section({
      ...common,
      ...remote,
      type: z.literal('xlsx'),
      source: source(scope),
      sheet: z.union([nonEmptyText(), count(1, 10_000)]).optional(),
    }),
    section({ ...common, ...remote, type: z.literal('parquet'), source: source(scope) }),
    section({
      ...common,
      ...remote,
      type: z.literal('json'),
      source: source(scope),
      records: nonEmptyText().optional(),
    }),
    section({ ...common, ...remote, type: z.literal('jsonl'), source: source(scope) }),
    section({
      ...common,
      ...remote,
      type: z.literal('http'),
      url: url('http', 'https'),
      records: nonEmptyText().optional(),
      paging: paging().optional(),
    }),
    section({
      ...common,
      type: z.literal('sql'),
      url: url('postgres', 'postgresql'),
      query: nonEmptyText(),
      timeout_seconds: seconds().default(300),
    }),
    section({
      name: name(),
      type: z.literal('module'),
      module: filePath(scope),
      options: z.record(z.string(), z.unknown()).default({}),
      entity_type: nonEmptyText().optional(),
      map: map.optional(),
    }),
  ]);
}

export type Adapter = z.output<ReturnType<typeof adapter>> & { readonly origin: Origin };
export type AdapterType = Adapter['type'];
export type AdapterOf<Type extends AdapterType> = Extract<Adapter, { type: Type }>;
