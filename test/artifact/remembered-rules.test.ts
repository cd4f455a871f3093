// docs/reference/artifact.md#lists-of-stale-results: what looks remember of workflows is all there, whatever was displaced meanwhile.
import { expect, test } from 'vitest';
import { RememberedRules } from '../../subgraphs/artifact/staleness/remembered-rules.ts';
import { RuleChanges } from '../../subgraphs/artifact/staleness/rule-changes.ts';
import { rememberMeanings } from '../../subgraphs/artifact/staleness/read-meaning.ts';
import { RuleService } from '../../subgraphs/artifact/rules/rules.service.ts';
import { viewer } from '../testkit/callers.ts';
import { freshDatabase } from '../testkit/database.ts';

test('a workflow that was known is found, although what is read beside it takes its place', async () => {
  await using database = await freshDatabase();
  const { pool } = database;
  // two of them are more than what is remembered
  await pool.query(
    `INSERT INTO artifact.workflow (hash, parsed, documents) SELECT h, jsonb_build_object('inputs', '[]'::jsonb, 'text', repeat(h, 10000000)), '[]' FROM unnest('{a,b}'::text[]) AS h`,
  );
  const changes = new RuleChanges({
    db: pool,
    rules: new RuleService(pool, viewer),
    active: () => Promise.resolve([]),
    meanings: rememberMeanings(),
  });
  const { workflows } = new RememberedRules('1').over(changes);
  const keys = async (...hashes: string[]): Promise<string[]> => [...(await workflows(pool, hashes)).keys()];
  expect(await keys('a')).toEqual(['a']);
  expect((await keys('a', 'b', 'missing')).toSorted()).toEqual(['a', 'b']);
  expect(await keys('a')).toEqual(['a']);
});
