#!/usr/bin/env node
// The `cairn` command: makes the installation ready with what Node alone has, then hands over to main.ts.
import { pathToFileURL } from 'node:url';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

// graphql-js and others check less of themselves in production; what of ours differs by mode is `server.mode`
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

/** Ends the process once what it has written is out: a pipe may still be taking it. */
function end(status) {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
}

start().then(end, (error) => {
  console.error(`cairn: ${error instanceof Error ? error.message : error}`);
  end(1);
});
