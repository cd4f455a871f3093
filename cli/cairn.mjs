#!/usr/bin/env node
// The `cairn` command: prepares the installation with Node's built-ins only, then starts main.ts.
import { pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// In production mode, graphql-js and other packages skip internal checks. Our own code depends on
// `server.mode` instead.
process.env['NODE_ENV'] ??= 'production';

async function start() {
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(`cairn: Node 20.19 or later is needed, this is ${process.version}`);
    return 1;
  }
  const { ensureInstalled } = await import('../scripts/ensure-install.mjs');
  ensureInstalled();
  const { build } = await import('../scripts/run.mjs');
  process.setSourceMapsEnabled(true);
  const { main } = await import(pathToFileURL(await build('cli/main.ts')).href);
  return main(process.argv.slice(2));
}

/** Ends the process after its output was flushed, because a pipe may still be reading it. */
function end(status) {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
}

start().then(end, (error) => {
  console.error(`cairn: ${error instanceof Error ? error.message : error}`);
  end(1);
});
