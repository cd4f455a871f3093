// Reads a workflow's outputs: the fields of each entity, with its files stored under their hashes.
import { randomUUID } from 'node:crypto';
import { lstat, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject } from '../../../platform/json-object.ts';
import { type CwlType, isOptional, showCwlType, withoutNull } from '../cwl/cwl-type.ts';
import { isFileValue } from '../cwl/file-value.ts';
import type { CwlOutput } from '../cwl/validate.ts';
import { outputFields } from '../registration/output-fields.ts';
import type { RuleOutput } from '../rules/rule-definition.ts';
import { type ArchiveLimits, ArchiveRefused, DIRECTORY_MEDIA_TYPE } from '../storage/directory-archive.ts';
import type { ContentHash } from '../storage/object-store.ts';
import { packDirectory } from '../storage/pack-directory.ts';
import { ProductionFailed } from './production-failed.ts';

/** A stored file of an entity's field. A secondary file has the field `<the primary's field>/<its name>`. */
export interface MadeFile {
  readonly field: string;
  readonly hash: ContentHash;
  readonly size: number;
  readonly name: string;
  /** The format in the workflow's output. */
  readonly format: string | null;
}

/** An entity that a workflow has made, not written yet. */
export interface MadeEntity {
  readonly item: RuleOutput;
  /** Its index among the items of a list; null for a single one. */
  readonly index: number | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** All fields that the workflow outputs, including those without a value this time. */
  readonly fields: readonly string[];
  readonly files: readonly MadeFile[];
}

type Json = Readonly<Record<string, unknown>>;

export interface OutputDeps {
  /** Stores a local file. */
  readonly keep: (
    file: string,
    mediaType: string | null,
  ) => Promise<{ readonly hash: ContentHash; readonly size: number; readonly uri: string }>;
  /** All outputs must be inside it. */
  readonly directory: string;
  /** For archives of directories, until they are stored. */
  readonly scratch: string;
  readonly limits: ArchiveLimits;
  readonly stop: AbortSignal;
}

/**
 * The path of an output's file or directory, inside the allowed directory: links that lead outside are
 * refused.
 */
async function placeOf({ class: kind, location, path: place }: Json, directory: string): Promise<string> {
  const named =
    typeof location === 'string' && location.startsWith('file:') ? fileURLToPath(location) : place;
  if (typeof named !== 'string')
    throw new ProductionFailed('output_invalid', 'an output file of the workflow has no location');
  // a dangling link is not a file
  const [real, root] = await Promise.all([realpath(named).catch(() => null), realpath(directory)]);
  if (real === null || !real.startsWith(root + path.sep))
    throw new ProductionFailed(
      'output_invalid',
      `an output refers to a file outside the workflow's output directory: ${path.basename(named)}`,
    );
  const found = await lstat(real);
  if (kind === 'Directory' ? !found.isDirectory() : !found.isFile())
    throw new ProductionFailed(
      'output_invalid',
      `an output of the workflow is not a ${kind === 'Directory' ? 'directory' : 'file'}: ${path.basename(named)}`,
    );
  return real;
}

class Fields {
  readonly files: MadeFile[] = [];
  readonly #deps: OutputDeps;

  constructor(deps: OutputDeps) {
    this.#deps = deps;
  }

  /** A value for metadata: a file becomes its uri. */
  async value(field: string, value: unknown, type: CwlType): Promise<unknown> {
    if (value === null || value === undefined) {
      if (isOptional(type)) return undefined;
      throw new ProductionFailed(
        'output_missing',
        `the workflow produced no ${field} (${showCwlType(type)})`,
        { field },
      );
    }
    const wanted = withoutNull(type);
    if (wanted.kind === 'array' && Array.isArray(value))
      return Promise.all(value.map((item, i) => this.value(`${field}[${i}]`, item, wanted.items)));
    if (
      isFileValue(value) &&
      (wanted.kind === 'File' || wanted.kind === 'Directory' || wanted.kind === 'union')
    )
      return this.#keep(field, value);
    return this.#within(field, value);
  }

  /** Inside json fields, files and directories keep their CWL properties, with their uri. */
  async #within(field: string, value: unknown): Promise<unknown> {
    if (Array.isArray(value))
      return Promise.all(value.map((item, i) => this.#within(`${field}[${i}]`, item)));
    if (!isObject(value)) return value;
    if (isFileValue(value))
      return {
        class: value['class'],
        location: await this.#keep(field, value),
        basename: value['basename'] ?? null,
        size: value['size'] ?? null,
      };
    return Object.fromEntries(
      await Promise.all(
        Object.entries(value).map(
          async ([name, item]) => [name, await this.#within(`${field}.${name}`, item)] as const,
        ),
      ),
    );
  }

  /** Stores a file, or a packed directory, and its secondary files. */
  async #keep(field: string, value: Json): Promise<string> {
    const place = await placeOf(value, this.#deps.directory);
    const name = typeof value['basename'] === 'string' ? value['basename'] : path.basename(place);
    const isDirectory = value['class'] === 'Directory';
    const { hash, size, uri } = isDirectory
      ? await this.#pack(field, place)
      : await this.#deps.keep(place, null);
    this.files.push({
      field,
      hash,
      size,
      name: isDirectory ? `${name}.tar` : name,
      format: typeof value['format'] === 'string' ? value['format'] : null,
    });
    const beside = Array.isArray(value['secondaryFiles']) ? value['secondaryFiles'].filter(isFileValue) : [];
    for (const one of beside) await this.#keep(`${field}/${String(one['basename'])}`, one);
    return uri;
  }

  async #pack(field: string, place: string): Promise<Awaited<ReturnType<OutputDeps['keep']>>> {
    const { keep, scratch, limits, stop } = this.#deps;
    const archive = path.join(scratch, `${randomUUID()}.tar`);
    try {
      await packDirectory(place, archive, limits, stop);
      return await keep(archive, DIRECTORY_MEDIA_TYPE);
    } catch (fault) {
      if (fault instanceof ArchiveRefused)
        throw new ProductionFailed(
          'output_invalid',
          `the output directory ${field} of the workflow ${fault.message}`,
          { field },
          { cause: fault },
        );
      throw fault;
    } finally {
      await rm(archive, { force: true });
    }
  }
}

async function readOne(
  item: RuleOutput,
  index: number | null,
  fields: readonly { readonly name: string; readonly type: CwlType }[],
  values: Json,
  deps: OutputDeps,
): Promise<MadeEntity> {
  const reader = new Fields(deps);
  const data: [string, unknown][] = [];
  for (const { name, type } of fields) {
    const value = await reader.value(name, Object.hasOwn(values, name) ? values[name] : undefined, type);
    if (value !== undefined) data.push([name, value]);
  }
  return {
    item,
    index,
    data: Object.fromEntries(data),
    fields: fields.map(({ name }) => name),
    files: reader.files,
  };
}

/**
 * The entities of the outputs, by the rule's mapping (docs/reference/artifact.md#output-mapping).
 * @throws ProductionFailed if a required output is missing
 */
export async function readOutputs(
  items: readonly RuleOutput[],
  declared: readonly CwlOutput[],
  outputs: Json,
  deps: OutputDeps,
): Promise<readonly MadeEntity[]> {
  const made: MadeEntity[] = [];
  for (const item of items) {
    const found = outputFields(item, items, declared);
    if ('fault' in found) throw new ProductionFailed('output_invalid', found.fault);
    const { fields } = found;
    const name = fields[0]?.output ?? '';
    const value = outputs[name];
    if (item.array_mode === 'one_per_item') {
      if (!Array.isArray(value))
        throw new ProductionFailed('output_missing', `the workflow did not produce the list ${name}`);
      for (const [index, one] of value.entries())
        if (isObject(one)) made.push(await readOne(item, index, fields, one, deps));
      continue;
    }
    const isRecord =
      fields.some((field) => field.output !== field.name) ||
      (isObject(value) &&
        value['class'] === undefined &&
        withoutNull(declared.find((output) => output.name === name)?.type ?? { kind: 'null' }).kind ===
          'record');
    if (isRecord && (value === null || value === undefined)) {
      if (isOptional(declared.find((output) => output.name === name)?.type ?? { kind: 'null' })) continue;
      throw new ProductionFailed('output_missing', `the workflow did not produce ${name}`);
    }
    made.push(await readOne(item, null, fields, isRecord && isObject(value) ? value : outputs, deps));
  }
  return made;
}
