// What a run at a WES service is submitted with: the workflow, its files, and inputs that name them.
import { openAsBlob } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { isObject } from '../../../platform/json-object.ts';
import type { Task } from './runner.ts';
import type { FormFile } from './multipart.ts';
import type { Submission } from './wes-client.ts';
import { WesFault } from './wes-fault.ts';
import type { Json } from './wes-outputs.ts';
import { writeWorkflow } from './write-workflow.ts';

export const isFile = (value: Json): boolean => value['class'] === 'File';
export const isDirectory = (value: Json): boolean => value['class'] === 'Directory';

/** What services change or refuse in names of attachments; tools see the file's own name, its `basename`. */
const UNUSUAL = /[^A-Za-z0-9._-]/g;
const MAX_NAME_LENGTH = 100;

export type Packaged = Pick<Submission, 'workflow' | 'attachments' | 'inputs'>;

/** The workflow and its files as attachments, and inputs that name them. */
export async function packageTask(task: Task, directory: string): Promise<Packaged> {
  const root = path.join(directory, 'workflow');
  const { main, files: documents } = await writeWorkflow(task.main, task.documents, root);
  const [mainFile = main, fragment] = main.split('#', 2);
  // then it needs no folders: services differ in what they make of them
  const isAlone = documents.length === 1;
  const nameOf = (file: string): string => (isAlone ? 'workflow.cwl' : path.relative(root, file));
  const attachments: FormFile[] = await Promise.all(
    documents.map(async (file) => ({ name: nameOf(file), content: await openAsBlob(file) })),
  );
  const workflow = nameOf(mainFile);
  const files: FormFile[] = [];
  /** A directory goes as a literal that lists its files: that needs nothing of the service but CWL. */
  const list = async (directory: string, above: readonly string[]): Promise<unknown[]> => {
    const real = await realpath(directory);
    if (above.includes(real)) throw new WesFault('an input directory contains itself through a link', null);
    return Promise.all(
      (await readdir(real)).sort().map(async (basename) => {
        const held = path.join(real, basename);
        if ((await stat(held)).isDirectory())
          return { class: 'Directory', basename, listing: await list(held, [...above, real]) };
        return place({ class: 'File', path: held, basename });
      }),
    );
  };
  const place = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(place));
    if (!isObject(value)) return value;
    const { path: file, ...rest } = value;
    if (isDirectory(value) && typeof file === 'string') return { ...rest, listing: await list(file, []) };
    if (!isFile(value) || typeof file !== 'string')
      return Object.fromEntries(
        await Promise.all(
          Object.entries(value).map(async ([key, held]) => [key, await place(held)] as const),
        ),
      );
    const basename = typeof rest['basename'] === 'string' ? rest['basename'] : path.basename(file);
    const name = `input-${files.length}-${basename.replace(UNUSUAL, '_').slice(-MAX_NAME_LENGTH)}`;
    files.push({ name, content: await openAsBlob(file) });
    return {
      ...rest,
      basename,
      location: name,
      ...(Array.isArray(rest['secondaryFiles'])
        ? { secondaryFiles: await place(rest['secondaryFiles']) }
        : {}),
    };
  };
  const inputs = await place(task.inputs);
  return {
    workflow: fragment === undefined ? workflow : `${workflow}#${fragment}`,
    attachments: [...attachments, ...files],
    inputs,
  };
}
