// The directory of one run of cwltool: its subdirectories, its input files, and its outputs.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isFileValue } from '../cwl/file-value.ts';
import { linkNode } from './programs.ts';
import type { Task } from './runner.ts';
import type { Places } from './tool-errors.ts';
import { ownMember } from '../../../platform/json-object.ts';

export interface Directories {
  readonly outputs: string;
  readonly scratch: string;
  readonly home: string;
  readonly programs: string;
}

export async function layOut(root: string): Promise<Directories> {
  const at = (name: string): string => path.join(root, name);
  for (const name of ['workflow', 'outputs', 'scratch', 'home']) await mkdir(at(name), { recursive: true });
  await linkNode(at('programs'));
  return { outputs: at('outputs'), scratch: at('scratch'), home: at('home'), programs: at('programs') };
}

/** Every local file in the inputs. */
export function filesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const place = ownMember(value, 'path');
  const own = isFileValue(value) && typeof place === 'string' ? [place] : [];
  return [...own, ...Object.values(value).flatMap(filesIn)];
}

/** Local paths that a log may contain, and their replacements for the author of the workflow. */
export const logPlaces = (root: string, { inputs }: Task): Places => [
  ...filesIn(inputs).map((file) => [file, path.basename(file)] as const),
  ...['outputs', 'scratch', 'home', 'workflow'].map((name) => [path.join(root, name), name] as const),
  [root, '.'],
  [path.dirname(root), '..'],
];

export function parseOutputs(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch (fault) {
    if (fault instanceof SyntaxError) return null;
    throw fault;
  }
}
