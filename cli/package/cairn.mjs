#!/usr/bin/env node
// The `cairn` command of the package @cairn/cli: what cli/cairn.mjs starts in an installation of the server.
import { main } from '../main.ts';

/** Ends the process after its output was flushed, because a pipe may still be reading it. */
function end(status) {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(status)));
}

main(process.argv.slice(2)).then(end, (error) => {
  console.error(`cairn: ${error instanceof Error ? error.message : error}`);
  end(1);
});
