// Node's own loader for the tests' modules, with TypeScript made JavaScript by esbuild, instead of Vite's: each worker of
// the suite imports the product, 1,500 modules, each of which Vite's answers by a message between two processes.
import { register } from 'node:module';

if (globalThis.takesTypeScript === undefined) register('./typescript-hooks.mjs', import.meta.url);
globalThis.takesTypeScript = true; // a worker runs this before each of its files
await import('./equal-bytes.ts');
await import('./remembered-scrypt.ts');
