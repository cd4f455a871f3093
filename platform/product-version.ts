// Returns the platform's version, which every service reports: the one in package.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
}; // npm has validated that file

export const productVersion: string = version;
