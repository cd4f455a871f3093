// Reads what a workflow has put out: each entity's fields, with its files kept in the store under their hashes.
import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../platform/json-object.ts';
import { type CwlType, isOptional, showCwlType, withoutNull } from '../cwl/cwl-type.ts';
import type { CwlOutput } from '../cwl/validate.ts';
import { outputFields } from '../registration/output-fields.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';
import type { ContentHash } from '../storage/object-store.ts';
import { ProductionFailed } from './production-failed.ts';

export interface MadeFile { readonly field: string; readonly hash: ContentHash; readonly size: number; readonly name: string }

/** An entity as a workflow has made it, not written yet. */
export interface MadeEntity {
  readonly item: RuleOutput;
  /** Its place among the items of a list; null for one that is alone. */
  readonly index: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly files: readonly MadeFile[];
}

type Json = Readonly<Record<string, unknown>>;

export interface OutputMeans {
  /** Keeps a file of this machine. */
  readonly keep: (file: string) => Promise<{ readonly hash: ContentHash; readonly size: number; readonly uri: string }>;
  /** Outside of it no output may be. */
  readonly directory: string;
}

/** Where an output's file is, if it is where outputs have to be: links that lead elsewhere are refused. */
async function placeOf({ location, path: place }: Json, directory: string): Promise<string> {
  const named = typeof location === 'string' && location.startsWith('file:') ? fileURLToPath(location) : place;
  if (typeof named !== 'string') throw new ProductionFailed('output_invalid', 'the workflow puts out a file without a place');
  const [real, root] = await Promise.all([realpath(named).catch(() => null), realpath(directory)]); // a link that leads nowhere is no file
  if (real === null || !real.startsWith(root + path.sep)) throw new ProductionFailed('output_invalid', `the workflow puts out a file that is not among its outputs: ${path.basename(named)}`);
  if (!(await lstat(real)).isFile()) throw new ProductionFailed('output_invalid', `the workflow puts out what is no file: ${path.basename(named)}`);
  return real;
}

class Fields {
  readonly files: MadeFile[] = [];
  readonly #means: OutputMeans;

  constructor(means: OutputMeans) {
    this.#means = means;
  }

  /** A value as metadata keeps it: a file by its uri. */
  async value(field: string, value: unknown, type: CwlType): Promise<unknown> {
    if (value === null || value === undefined) {
      if (isOptional(type)) return undefined;
      throw new ProductionFailed('output_missing', `the workflow has not made ${field} (${showCwlType(type)})`, { field });
    }
    const wanted = withoutNull(type);
    if (wanted.kind === 'array' && Array.isArray(value)) return Promise.all(value.map((item, i) => this.value(`${field}[${i}]`, item, wanted.items)));
    if (isObject(value) && value['class'] === 'Directory') throw new ProductionFailed('unsupported', `${field} is a directory: only files can be kept`);
    if (isObject(value) && value['class'] === 'File' && (wanted.kind === 'File' || wanted.kind === 'union')) return this.#file(field, value);
    return this.#within(field, value);
  }

  /** Inside json fields, files keep what CWL says of them, by their uri and hash. */
  async #within(field: string, value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((item, i) => this.#within(`${field}[${i}]`, item)));
    if (!isObject(value)) return value;
    if (value['class'] === 'File') return { class: 'File', location: await this.#file(field, value), basename: value['basename'] ?? null, size: value['size'] ?? null };
    return Object.fromEntries(await Promise.all(Object.entries(value).map(async ([name, item]) => [name, await this.#within(`${field}.${name}`, item)] as const)));
  }

  async #file(field: string, file: Json): Promise<string> {
    const place = await placeOf(file, this.#means.directory);
    const { hash, size, uri } = await this.#means.keep(place);
    const name = typeof file['basename'] === 'string' ? file['basename'] : path.basename(place);
    this.files.push({ field, hash, size, name });
    const beside = Array.isArray(file['secondaryFiles']) ? file['secondaryFiles'].filter(isObject) : [];
    for (const one of beside) if (one['class'] === 'File') await this.#file(`${field}/${String(one['basename'])}`, one);
    return uri;
  }
}

async function readOne(item: RuleOutput, index: number | null, fields: readonly { readonly name: string; readonly type: CwlType }[], values: Json, means: OutputMeans): Promise<MadeEntity> {
  const reader = new Fields(means);
  const data: [string, unknown][] = [];
  for (const { name, type } of fields) {
    const value = await reader.value(name, Object.hasOwn(values, name) ? values[name] : undefined, type);
    if (value !== undefined) data.push([name, value]);
  }
  return { item, index, data: Object.fromEntries(data), files: reader.files };
}

/** Every entity that the outputs are, by the rule's mapping (spec 3 «Mapping rules»). @throws ProductionFailed where a required output is missing */
export async function readOutputs(items: readonly RuleOutput[], declared: readonly CwlOutput[], outputs: Json, means: OutputMeans): Promise<readonly MadeEntity[]> {
  const made: MadeEntity[] = [];
  for (const item of items) {
    const found = outputFields(item, items, declared);
    if ('fault' in found) throw new ProductionFailed('output_invalid', found.fault);
    const { fields } = found;
    const name = fields[0]?.output ?? '';
    const value = outputs[name];
    if (item.array_mode === 'one_per_item') {
      if (!Array.isArray(value)) throw new ProductionFailed('output_missing', `the workflow has not made the list ${name}`);
      for (const [index, one] of value.entries()) if (isObject(one)) made.push(await readOne(item, index, fields, one, means));
      continue;
    }
    const isRecord = fields.some((field) => field.output !== field.name) || (isObject(value) && value['class'] === undefined && withoutNull(declared.find((output) => output.name === name)?.type ?? { kind: 'null' }).kind === 'record');
    if (isRecord && (value === null || value === undefined)) {
      if (isOptional(declared.find((output) => output.name === name)?.type ?? { kind: 'null' })) continue;
      throw new ProductionFailed('output_missing', `the workflow has not made ${name}`);
    }
    made.push(await readOne(item, null, fields, isRecord && isObject(value) ? value : outputs, means));
  }
  return made;
}
