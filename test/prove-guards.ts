// Removes each guard of docs/hazards.md, one at a time in a copy, and checks that its test fails: npm run
// prove-guards [-- part of a hazard …]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type Hazard, hazards, placesOf, type Removal, removals } from './guards.ts';
import { copyProject, makeEdits } from './project-copy.ts';

/** Without its guard, a test may never end. */
const TEST_TIMEOUT_MS = 600_000;

/** Runs one test: its exit status, and its output. */
async function runTest(
  copy: string,
  test: string,
  title: string,
): Promise<{ readonly passed: boolean; readonly said: string }> {
  const named = title
    .split('%s')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('.*');
  const args = ['node_modules/vitest/vitest.mjs', 'run', test, '-t', named, '--passWithNoTests=false'];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-200_000);
    });
  const late = setTimeout(() => {
    said += '\nit does not end';
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, TEST_TIMEOUT_MS);
  await once(child, 'close');
  clearTimeout(late);
  return { passed: child.exitCode === 0, said };
}

/** A test that is skipped here because a tool is missing proves nothing. */
const RUN = /^ *Tests .*\b(?:passed|failed)\b/m;

async function prove(
  copy: string,
  hazard: Hazard,
  removal: Removal,
): Promise<{ verdict: string; first: string }> {
  if (
    !removal.edits.every(
      ({ file, without }) =>
        existsSync(path.join(copy, file)) &&
        placesOf(readFileSync(path.join(copy, file), 'utf8'), without).length > 0,
    )
  )
    return { verdict: 'the guard is not there', first: '' };
  const undo = makeEdits(copy, removal.edits);
  try {
    const { passed, said } = await runTest(copy, removal.test ?? hazard.test, removal.title ?? hazard.title);
    if (passed) return { verdict: RUN.test(said) ? 'STAYS GREEN' : 'no test was run', first: '' };
    const shown = said.split('\n').find((line) => line.includes(removal.shows));
    return {
      verdict: shown === undefined ? 'red for another reason' : 'red',
      first: (shown ?? /^.*Error: .*$/m.exec(said)?.[0] ?? '').trim().slice(0, 200),
    };
  } finally {
    undo();
  }
}

const wanted = process.argv.slice(2);
const copy = copyProject();
let unproven = 0;
try {
  for (const hazard of hazards.filter(
    (one) => wanted.length === 0 || wanted.some((part) => one.hazard.includes(part)),
  )) {
    for (const removal of removals.filter((one) => one.hazard === hazard.hazard)) {
      const { verdict, first } = await prove(copy, hazard, removal);
      if (verdict !== 'red') unproven++;
      console.log(`| ${hazard.hazard} | ${verdict} | ${first.replaceAll('|', '¦')} |`);
    }
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
if (unproven > 0) {
  console.error(`${unproven} of the guards are not proved by their tests`);
  process.exitCode = 1;
}
