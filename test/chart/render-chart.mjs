// Renders deploy/helm/cairn as Helm does, with Go's own template engine (compiled to WebAssembly), as a list of objects in
// JSON. A program of its own, because Go's runtime puts names of its own among the globals.
//
//     node test/chart/render-chart.mjs <release> [<file of values>...]
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as render } from '@evertdespiegeleer/go-template';
import { parse as parseYaml, parseAllDocuments } from 'yaml';

const chart = path.resolve(import.meta.dirname, '..', '..', 'deploy', 'helm', 'cairn');
const [release = 'cairn', ...files] = process.argv.slice(2);
const isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** As Helm: maps are merged, everything else is replaced. */
const merge = (below, above) =>
  isMap(below) && isMap(above)
    ? Object.fromEntries(
        [...new Set([...Object.keys(below), ...Object.keys(above)])].map((key) => [
          key,
          key in above ? merge(below[key], above[key]) : below[key],
        ]),
      )
    : above;

/** Helm's toJson is not one of Go's functions: each member `x` has its JSON beside it as `x__json`. */
function withJson(value) {
  if (Array.isArray(value)) return value.map(withJson);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => [
      [key, withJson(member)],
      // maps over which a template goes have texts only, and no such members
      ...(key.includes('/') ? [] : [[`${key}__json`, JSON.stringify(member)]]),
    ]),
  );
}

const read = (file) => readFileSync(file, 'utf8');
const { name, version, appVersion } = parseYaml(read(path.join(chart, 'Chart.yaml')));
const values = [path.join(chart, 'values.yaml'), ...files].map((file) => parseYaml(read(file))).reduce(merge);
const context = withJson({
  Values: values,
  Chart: { Name: name, Version: version, AppVersion: appVersion },
  Release: { Name: release, Namespace: 'research', Service: 'Helm', Revision: 1 },
});
const names = readdirSync(path.join(chart, 'templates')).sort();
const textOf = (file) =>
  read(path.join(chart, 'templates', file)).replaceAll(/toJson ([$.\w]+)/g, '$1__json');
const helpers = names
  .filter((file) => file.startsWith('_'))
  .map(textOf)
  .join('\n');
const objects = [];
for (const file of names.filter((one) => !one.startsWith('_'))) {
  const text = await render(`${helpers}\n${textOf(file)}`, context);
  if (!file.endsWith('.yaml')) continue;
  for (const document of parseAllDocuments(text)) {
    if (document.errors.length > 0) throw new Error(`${file}: ${document.errors[0].message}\n${text}`);
    if (document.contents !== null) objects.push(document.toJS());
  }
}
process.stdout.write(JSON.stringify(objects, null, 1), () => process.exit(0)); // Go's runtime does not end by itself
