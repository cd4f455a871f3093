// Reads what WES services return as outputs into CWL's output object (docs/reference/artifact.md#wes).
import { isObject } from '../../../platform/json-object.ts';
import { WesFault } from './wes-fault.ts';

export type Json = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A produced file, by its path below the folder of outputs, and its address at the service. */
interface ListedFile {
  readonly name: string;
  readonly url: string;
}

/**
 * The list of produced files that Sapporo returns in place of CWL's output object; null for anything else.
 * An empty list is one, too: a workflow may make no files.
 */
export function listedFiles(outputs: unknown): readonly ListedFile[] | null {
  if (!Array.isArray(outputs)) return null;
  const files = outputs.map((one): ListedFile | null => {
    if (!isObject(one)) return null;
    const [name, url] = [textOf(one['file_name']), textOf(one['file_url'])];
    return name === '' || url === '' ? null : { name, url };
  });
  return files.every((file) => file !== null) ? files : null;
}

/**
 * Outputs as an object, or as a list of `{name, value}`, as some services return them; or inside another
 * `outputs`.
 */
export function outputObject(value: unknown): Json {
  if (Array.isArray(value))
    return Object.fromEntries(
      value
        .filter(isObject)
        .map((one) => [textOf(one['name']) || textOf(one['id']), one['value'] ?? one['location'] ?? null]),
    );
  if (!isObject(value)) return {};
  const { outputs } = value;
  return Object.keys(value).length === 1 && isObject(outputs) ? outputs : value;
}

/** Paths of the files in an output object, as the engine wrote them. */
function* pathsIn(value: unknown): Generator<string> {
  if (Array.isArray(value)) for (const one of value) yield* pathsIn(one);
  if (!isObject(value)) return;
  if (value['class'] === 'File') yield pathOf(value);
  for (const held of Object.values(value)) yield* pathsIn(held);
}

function pathOf(file: Json): string {
  const [location, plain] = [textOf(file['location']), textOf(file['path'])];
  if (!location.startsWith('file:')) return plain || location;
  try {
    return decodeURIComponent(new URL(location).pathname);
  } catch {
    return location; // not an address: it is then no file of the list
  }
}

/** The folder below which the listed names are the paths of the output object, which no answer tells. */
function folderOf(paths: readonly string[], names: ReadonlySet<string>): string | null {
  const [first] = paths;
  if (first === undefined) return '';
  const folders = [...names]
    .filter((name) => first.endsWith(`/${name}`))
    .map((name) => first.slice(0, -name.length));
  const own = folders.filter((folder) =>
    paths.every((path) => path.startsWith(folder) && names.has(path.slice(folder.length))),
  );
  return own.sort((a, b) => b.length - a.length)[0] ?? null;
}

/**
 * The engine's output object, which it has written to its standard output, with each file at its address at
 * the service.
 * @throws WesFault if the two do not fit
 */
export function joinedOutputs(files: readonly ListedFile[], stdout: string): Json {
  let told: unknown;
  try {
    told = JSON.parse(stdout);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  if (!isObject(told)) {
    if (files.length === 0) return {};
    throw new WesFault('the service lists files, and the output object is not in the stdout of the run', 200);
  }
  const urls = new Map(files.map(({ name, url }) => [name, url]));
  const folder = folderOf([...pathsIn(told)], new Set(urls.keys()));
  if (folder === null) throw new WesFault('an output file is not among those that the service lists', 200);
  const placed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(placed);
    if (!isObject(value)) return value;
    const all = Object.fromEntries(Object.entries(value).map(([key, held]) => [key, placed(held)]));
    if (value['class'] !== 'File') return all;
    const { path: _, ...rest } = all;
    return { ...rest, location: urls.get(pathOf(value).slice(folder.length)) };
  };
  return placed(told) as Json; // An object stays one.
}
