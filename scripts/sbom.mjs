// `npm run sbom` prints the production packages as a CycloneDX bill of materials. npm's own `--omit=dev` also
// omits packages that both production and development need.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** Production packages by name and version: npm marks only one of the places where a package is installed. */
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
const production = new Set(
  Object.entries(packages)
    .filter(([, { dev, devOptional }]) => !dev && !devOptional)
    .map(
      ([place, { version }]) =>
        `${place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)} ${version}`,
    ),
);

const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 256 * 1024 * 1024,
});
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
const bill = JSON.parse(stdout);
const left = new Set(
  bill.components
    .filter(({ name, version }) => !production.has(`${name} ${version}`))
    .map((component) => component['bom-ref']),
);
const kept = (refs = []) => refs.filter((ref) => !left.has(ref));
bill.components = bill.components.filter((component) => !left.has(component['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => !left.has(ref))
  .map((dependency) => ({ ...dependency, dependsOn: kept(dependency.dependsOn) }));
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
