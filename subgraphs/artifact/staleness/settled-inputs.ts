// What a workflow is given, without what makes no difference to it.
import { isList, isObject } from '../../../platform/json-object.ts';
import type { JsonValue } from '../../../platform/json.ts';
import { storedHashIn } from '../../../platform/stored-file-address.ts';
import { isSource } from '../planning/bind-inputs.ts';

/** Addresses of files, each with the hash of its content. */
export type KnownFiles = ReadonlyMap<string, string>;

/** The files that a production was given, as it recorded them. */
export const givenFiles = (inputFiles: JsonValue): KnownFiles =>
  new Map(
    (isList(inputFiles) ? inputFiles : []).flatMap((file): [string, string][] =>
      isObject(file) && typeof file['location'] === 'string' && typeof file['hash'] === 'string'
        ? [[file['location'], file['hash']]]
        : [],
    ),
  );

/**
 * Files by their content instead of their address, where it is known, and without the entity that names them: equal
 * files are equal inputs. A file elsewhere is not read again, so at one address it counts as the same.
 */
export function settled(value: unknown, files: KnownFiles): unknown {
  if (typeof value === 'string') return storedHashIn(value) ?? value;
  if (isList(value)) return value.map((item) => settled(item, files));
  if (!isObject(value)) return value;
  if (!isSource(value))
    return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, settled(held, files)]));
  const { location, entity: _, ...file } = value;
  return { ...file, location: storedHashIn(String(location)) ?? files.get(String(location)) ?? location };
}
