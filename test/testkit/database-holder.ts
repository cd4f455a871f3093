// A separate process that opens a database and holds it until it is told to end: node scripts/run.mjs <this
// file> <data dir> [--claim]
import { pino } from 'pino';
import { openDatabase } from '../../platform/database/open.ts';

const [dataDir = '', flag] = process.argv.slice(2);
const log = pino({ level: 'info' }, pino.destination({ dest: 2, sync: true }));

try {
  const database = await openDatabase({ dataDir, applicationName: 'holder', log, claim: flag === '--claim' });
  process.once('SIGTERM', () => {
    void database.close().then(() => {
      process.exit(0);
    });
  });
  setInterval(() => undefined, 60_000); // the database alone does not keep a process alive
  console.log(JSON.stringify({ url: database.url }));
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }));
  process.exit(1);
}
