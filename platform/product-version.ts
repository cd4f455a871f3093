// The platform's version, as every service reports it: the one in package.json.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

const { version } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
}; // npm has checked that file

export const productVersion: string = version;
