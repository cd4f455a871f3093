// Reads the documents of a workflow, each once, and resolves their imports.
import { type Mapping, shortName } from './entries.ts';
import type { CwlPath, Problems } from './problem.ts';
import { MAX_DEPTH, CwlSource } from './source.ts';
import { withoutPrototype } from '../../../platform/without-prototype.ts';
import { isList, isObject } from '../../../platform/json-object.ts';

/** Reads a document by its URL. The message of an exception is reported as the reason. */
export type ReadDocument = (url: string) => Promise<string>;

/**
 * Maximum size of one workflow, counting every import: imports that import twice would grow without bound.
 */
const MAX_READS = 500;
const MAX_CHARACTERS = 10 * 2 ** 20;
const MAX_IMPORT_DEPTH = 10;

/** A document with its imports resolved. */
export interface CwlFile {
  readonly source: CwlSource;
  readonly value: unknown;
}

/** The part of a document with an identifier: packed documents import from themselves. */
function findPart(
  value: unknown,
  fragment: string,
  path: CwlPath = [],
): { readonly value: Mapping; readonly path: CwlPath } | null {
  if (path.length > MAX_DEPTH || typeof value !== 'object' || value === null) return null;
  if (
    isObject(value) &&
    [value['id'], value['name']].some(
      (id) => typeof id === 'string' && id.slice(id.lastIndexOf('#') + 1) === fragment,
    )
  )
    return { value, path };
  for (const [key, inner] of Object.entries(value)) {
    const found = findPart(inner, fragment, [...path, Array.isArray(value) ? Number(key) : key]);
    if (found) return found;
  }
  return null;
}

const reasonOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

/** Namespace prefixes of a document's URLs. */
const namespacesOf = (value: unknown): Mapping =>
  isObject(value) && isObject(value['$namespaces']) ? value['$namespaces'] : {};

export class Reader {
  readonly #read: ReadDocument;
  readonly #problems: Problems;
  readonly #files = new Map<string, Promise<CwlFile>>();
  readonly #texts = new Map<string, Promise<string>>();
  readonly #origins = new WeakMap<object, CwlFile>();
  #reads = 0;
  #characters = 0;

  constructor(read: ReadDocument, problems: Problems) {
    this.#read = read;
    this.#problems = problems;
  }

  /** URLs of all documents that were opened. */
  get urls(): readonly string[] {
    return [...new Set([...this.#files.keys(), ...this.#texts.keys()])];
  }

  /** Whether the number of faults has reached its maximum, so that checking can stop. */
  get hopeless(): boolean {
    return this.#problems.full;
  }

  /** The document that a value was imported from as a whole, if any. */
  originOf(value: object): CwlFile | undefined {
    return this.#origins.get(value);
  }

  report(file: { readonly source: CwlSource }, path: CwlPath, message: string): void {
    if (this.hopeless) return;
    const place = file.source.locate(path);
    this.#problems.add({
      url: file.source.url,
      line: place?.line ?? null,
      column: place?.column ?? null,
      message,
    });
  }

  /**
   * A document by its URL without fragment; `text` if it is known already.
   * @throws Error with the reason if it cannot be read
   */
  open(url: string, text?: string): Promise<CwlFile> {
    const known = this.#files.get(url);
    if (known) return known;
    const file = this.#load(url, text);
    this.#files.set(url, file);
    return file;
  }

  /**
   * An address in a document as an absolute URL and its fragment.
   * @throws Error for an invalid address
   */
  resolve(file: CwlFile, reference: string): { url: string; fragment: string } {
    const colon = reference.indexOf(':');
    const namespaces = namespacesOf(file.source.value);
    const prefix =
      colon > 0 && Object.hasOwn(namespaces, reference.slice(0, colon))
        ? namespaces[reference.slice(0, colon)]
        : undefined;
    const full = typeof prefix === 'string' ? prefix + reference.slice(colon + 1) : reference;
    if (!URL.canParse(full, file.source.url)) throw new Error('the address is not valid');
    const { href, hash } = new URL(full, file.source.url);
    return {
      url: hash === '' ? href.replace(/#$/, '') : href.slice(0, -hash.length),
      fragment: decodeURIComponent(hash.slice(1)),
    };
  }

  async #load(url: string, text: string | undefined): Promise<CwlFile> {
    return this.#parse(url, text ?? (await this.#text(url)), new Set([url]));
  }

  async #parse(url: string, text: string, trail: ReadonlySet<string>): Promise<CwlFile> {
    const source = new CwlSource(url, text);
    for (const problem of source.problems) this.#problems.add(problem);
    return { source, value: await this.#import({ source, value: source.value }, source.value, [], trail) };
  }

  async #text(url: string): Promise<string> {
    let known = this.#texts.get(url);
    if (known === undefined) {
      known = this.#read(url);
      this.#texts.set(url, known);
    }
    const text = await known;
    this.#count(text);
    return text;
  }

  #count({ length }: string): void {
    this.#characters += length;
    if (++this.#reads > MAX_READS)
      throw new Error(`the workflow has more than ${MAX_READS} documents and imports`);
    if (this.#characters > MAX_CHARACTERS)
      throw new Error(`the workflow has more than ${MAX_CHARACTERS} characters in total`);
  }

  /**
   * The value with `$import` and `$include` replaced by their targets; `$import`ed lists inside lists are
   * spliced.
   */
  async #import(file: CwlFile, value: unknown, path: CwlPath, trail: ReadonlySet<string>): Promise<unknown> {
    if (path.length > MAX_DEPTH) return value;
    if (isList(value)) {
      const out: unknown[] = [];
      for (const [i, item] of value.entries()) {
        const read = await this.#import(file, item, [...path, i], trail);
        if (isObject(item) && '$import' in item && isList(read)) out.push(...read);
        else out.push(read);
      }
      return out;
    }
    if (!isObject(value)) return value;
    const { $import: imported, $include: included, $mixin: mixed } = value;
    if (mixed !== undefined)
      this.report(
        file,
        path,
        '$mixin is not supported: the document that it names would be read when the workflow runs, not when it is registered',
      );
    if (typeof imported === 'string') return this.#imported(file, imported, path, trail);
    if (typeof included === 'string') return this.#included(file, included, path);
    // no prototype: keys may have any name
    const out = withoutPrototype<unknown>();
    for (const [key, item] of Object.entries(value))
      out[key] = await this.#import(file, item, [...path, key], trail);
    return out;
  }

  async #imported(
    file: CwlFile,
    reference: string,
    path: CwlPath,
    trail: ReadonlySet<string>,
  ): Promise<unknown> {
    try {
      const { url, fragment } = this.resolve(file, reference);
      const part = url === file.source.url && fragment !== '' ? findPart(file.source.value, fragment) : null;
      const name = part === null ? url : `${url}#${fragment}`;
      if (trail.has(name)) throw new Error('the document imports itself');
      if (trail.size > MAX_IMPORT_DEPTH)
        throw new Error(`imports are nested deeper than ${MAX_IMPORT_DEPTH} levels`);
      if (part !== null) {
        this.#count(file.source.text);
        return await this.#import(file, part.value, part.path, new Set([...trail, name]));
      }
      const imported = await this.#parse(url, await this.#text(url), new Set([...trail, url]));
      const { value } = imported;
      if (isObject(value)) this.#origins.set(value, imported);
      if (fragment === '' || !isObject(value) || !isList(value['$graph'])) return value;
      return (
        value['$graph'].find((item) => isObject(item) && shortName(item['id']) === shortName(fragment)) ??
        value
      );
    } catch (fault) {
      this.report(file, path, `$import ${reference}: ${reasonOf(fault)}`);
      return {};
    }
  }

  async #included(file: CwlFile, reference: string, path: CwlPath): Promise<string> {
    try {
      return await this.#text(this.resolve(file, reference).url);
    } catch (fault) {
      this.report(file, path, `$include ${reference}: ${reasonOf(fault)}`);
      return '';
    }
  }
}
