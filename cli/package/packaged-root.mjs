// Stands for platform/project-root.ts in the package: its folder, which has a package.json and no server.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectRoot = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
