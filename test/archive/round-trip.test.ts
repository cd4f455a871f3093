// An archive of an instance, imported into an empty one, answers every read as the first did at every instant, and is
// exported again byte by byte (docs/reference/archives.md). CAIRN_PROVE_ARCHIVES sets the number of histories.
import { expect, test } from 'vitest';
import { asSuperuser } from '../testkit/database.ts';
import { exported, imported, startInstance } from './archive-testkit.ts';
import { instantsOf, makeHistory, readAll } from './random-history.ts';

const HISTORIES = Number(process.env['CAIRN_PROVE_ARCHIVES'] ?? 1);
const STEPS = Number(process.env['CAIRN_PROVE_ARCHIVE_STEPS'] ?? 50);

const DERIVED = [
  'SELECT entity_type, project, is_available, n::int FROM metadata.entity_count WHERE n <> 0 ORDER BY 1, 2, 3',
  'SELECT scope_type, field, value_hash::text, entity_id FROM metadata.unique_value ORDER BY 1, 2, 3',
  'SELECT id, search::text FROM metadata.entity ORDER BY 1',
  `SELECT indexname FROM pg_indexes WHERE schemaname = 'metadata' ORDER BY 1`,
];

/** Where two texts begin to differ. */
function firstDifference(one: string, other: string): readonly string[] {
  const at = [...one].findIndex((_, i) => one[i] !== other[i]);
  return [one.slice(Math.max(0, at - 80), at + 80), other.slice(Math.max(0, at - 80), at + 80)];
}

test.each(Array.from({ length: HISTORIES }, (_, i) => Number(process.env['CAIRN_PROVE_SEED'] ?? 1) + i))(
  'what is imported is equal by every read at every instant, and is exported byte by byte (seed %i)',
  { timeout: 120_000 + STEPS * 1000 },
  async (seed) => {
    await using first = await startInstance();
    await makeHistory(first, seed, STEPS);
    const instants = await instantsOf(first, 3);
    const { bytes, summary } = await exported(first.config);
    expect(summary.manifest.sections.log.rows).toBeGreaterThan(STEPS / 4);

    await using second = await startInstance();
    expect(await imported(second.config, bytes)).toEqual(summary);
    const [before, after] = await Promise.all([readAll(first, instants), readAll(second, instants)]);
    expect(before.size).toBeGreaterThan(300);
    const different = [...before].filter(([asked, answer]) => after.get(asked) !== answer);
    const shown = ([asked, answer]: readonly [string, string]) => ({
      asked,
      answer: firstDifference(answer, after.get(asked) ?? ''),
    });
    expect(different.slice(0, 3).map(shown)).toEqual([]);
    expect(after.size).toBe(before.size);
    expect((await exported(second.config)).bytes.equals(bytes)).toBe(true);

    // what is not in an archive was made anew
    for (const derived of DERIVED)
      expect(await asSuperuser(derived, second.databaseName)).toEqual(
        await asSuperuser(derived, first.databaseName),
      );
    // and writing goes on
    await makeHistory(second, seed + 1000, 10);
    expect((await exported(second.config)).summary.manifest.position).toBeGreaterThan(
      summary.manifest.position ?? 0,
    );
  },
);
