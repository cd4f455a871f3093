// How people call the command line, in what they read elsewhere than in the terminal of the server.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './project-root.ts';

/** A built installation has no examples, and no folder in which npx would find the command. */
export const isBuilt = existsSync(path.join(projectRoot, 'build.json'));

const isPackage = projectRoot.includes(`${path.sep}node_modules${path.sep}`);

/** A clone and a package of npm have it by npx; beside an archive elsewhere, npx would fetch another package of that name. */
export const COMMAND = isBuilt && !isPackage ? 'cairn' : 'npx cairn';
