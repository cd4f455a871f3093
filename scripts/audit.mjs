// `npm run audit:production` fails where the registry reports a known vulnerability in a production package.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const REFUSED = ['high', 'critical'];

const { stdout } = spawnSync('npm', ['audit', '--json', '--omit=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
let report;
try {
  report = JSON.parse(stdout);
} catch {
  report = {}; // no readable output: the registry did not respond
}
const found = report.metadata?.vulnerabilities;
if (found === undefined) {
  console.log('known vulnerabilities: not checked, the registry answers no advisories');
} else {
  console.log(
    `known vulnerabilities: ${Object.entries(found)
      .map(([severity, count]) => `${count} ${severity}`)
      .join(', ')}`,
  );
  const severe = Object.values(report.vulnerabilities ?? {}).filter(({ severity }) =>
    REFUSED.includes(severity),
  );
  for (const { name, severity, via } of severe)
    console.error(
      `${name}: ${severity}: ${via.map((each) => (typeof each === 'string' ? each : `${each.title} (${each.url})`)).join('; ')}`,
    );
  if (severe.length > 0) process.exitCode = 1;
}
