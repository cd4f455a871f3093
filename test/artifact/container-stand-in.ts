// A stand-in for docker and podman: it records its arguments, and runs the command without a container.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const script = (log: string): string => `#!${process.execPath}
const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { spawnSync } = require('node:child_process');
const told = process.argv.slice(2);
appendFileSync(${JSON.stringify(log)}, JSON.stringify(told) + '\\n');
const [verb, ...rest] = told;
const images = ${JSON.stringify(`${log}.images`)};
if (verb === 'image' && rest[0] === 'inspect') {
  // its service is not there for a moment
  if (rest[1].includes('dumb') && readFileSync(${JSON.stringify(log)}, 'utf8').split('"inspect","dumb').length === 2) { console.error('Cannot connect to the daemon'); process.exit(1); }
  const held = JSON.parse(readFileSync(images, 'utf8'));
  if (held.slow) { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000); }
  const names = rest.slice(1);
  console.log(JSON.stringify(names.flatMap((name) => held[name] ?? [])));
  const absent = names.filter((name) => held[name] === undefined);
  for (const name of absent) console.error('Error response from daemon: No such image' + (held.terse ? '' : ': ' + name));
  process.exit(absent.length === 0 ? 0 : 1);
}
if (verb === 'images') console.log('REPOSITORY TAG IMAGE_ID');
if (verb !== 'run') process.exit(0);
const options = [];
let image = '';
for (let word = rest.shift(); word.startsWith('-'); word = rest.shift()) {
  options.push(word);
  if (word === '--memory' || word === '--pids-limit') rest.shift();
  if (!rest[0].startsWith('-')) { image = rest.shift(); if (image.includes('broken')) process.exit(125); break; }
}
const value = (name) => options.filter((option) => option.startsWith(name + '=')).map((option) => option.slice(name.length + 1));
const mounts = value('--mount').map((mount) => Object.fromEntries(mount.split(',').map((part) => part.split('='))));
const places = new Map(mounts.map(({ source, target }) => [target, source]));
const local = (text) => text.replace(/(^|[\\s'"])(\\/[^\\s'"]*)/g, (_, before, place) => {
  const target = [...places.keys()].filter((one) => place === one || place.startsWith(one + '/')).sort((a, b) => b.length - a.length)[0];
  return before + (target === undefined ? place : places.get(target) + place.slice(target.length));
});
for (const file of value('--cidfile')) writeFileSync(file, 'c0ffee', { mode: 0o600 }); // as under the umask of a server
if (image.includes('moving')) { // somebody pulls another one meanwhile
  const known = JSON.parse(readFileSync(images, 'utf8'));
  writeFileSync(images, JSON.stringify({ ...known, [image]: { ...known[image], Id: 'another' } }));
}
const { status } = spawnSync(local(rest[0]), rest.slice(1).map(local), { cwd: local(value('--workdir')[0]), stdio: 'inherit' });
process.exit(status ?? 1);
`;

export interface StandIn {
  /** Its directory, for `tool_paths`. */
  readonly directory: string;
  /** The recorded calls. */
  told(): Promise<readonly (readonly string[])[]>;
  /** The images that it has from now on, as `image inspect` tells of them. */
  hold(
    images: Readonly<Record<string, { readonly Id: string; readonly RepoDigests: readonly string[] }>>,
  ): Promise<void>;
}

export async function containerStandIn(directory: string, name: string): Promise<StandIn> {
  const log = path.join(directory, `${name}.log`);
  await mkdir(directory, { recursive: true });
  const hold: StandIn['hold'] = (images) => writeFile(`${log}.images`, JSON.stringify(images));
  await writeFile(log, '');
  await hold({});
  await writeFile(path.join(directory, name), script(log));
  await chmod(path.join(directory, name), 0o755);
  return {
    directory,
    hold,
    told: async () =>
      (await readFile(log, 'utf8'))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as string[]),
  };
}
