import { expect, test } from 'vitest';
import pg from 'pg';
import { copyBaseline } from './copy-baseline.ts';
import { freshMetadata, callerWith } from '../testkit/metadata.ts';
import { asSuperuser } from '../testkit/database.ts';
test('profile', async () => {
  await using fresh = await freshMetadata();
  const db = new URL(fresh.database.url).pathname.slice(1);
  await asSuperuser(`ALTER DATABASE ${db} SET session_preload_libraries = 'auto_explain'`);
  for (const s of ["auto_explain.log_min_duration = 50", "auto_explain.log_analyze = on", "auto_explain.log_timing = on","auto_explain.log_parameter_max_length = 0", "auto_explain.log_triggers = on", "client_min_messages = log"]) await asSuperuser(`ALTER DATABASE ${db} SET ${s}`);
  await fresh.ask('mutation($d: JSON!) { createSchema(definition: $d) { name } }', { d: {
  name: 'Sample', version: '1',
  fields: [
    { name: 'label', field_type: 'string', required: true }, { name: 'age', field_type: 'int' }, { name: 'code', field_type: 'string', unique: true }, { name: 'project', field_type: 'string' },
    { name: 'population', field_type: 'string' }, { name: 'collected', field_type: 'date' }, { name: 'depth', field_type: 'float' }, { name: 'tags', field_type: 'string', many: true },
  ] } });
  const timings: Record<string, number> = {};
  const q = pg.Client.prototype.query;
  let n = 0;
  (pg.Client.prototype as any).query = function (...a: any[]) {
    const t = performance.now(); const r = (q as any).apply(this, a);
    if (!this.__n) { this.__n = true; this.on('notice', (m: any) => { if (n++ < Number(process.env.NOTICES ?? 12)) console.log(m.message.slice(0, 200), m.message.replace(/[\s\S]*?\n(?=(Sort|Nested Loop|Hash Join|Insert))/, '').slice(0, 5000)); }); }
    const k = (typeof a[0] === 'string' ? a[0] : a[0].name ?? a[0].text ?? '?').slice(0, 30);
    return Promise.resolve(r).then((x) => { timings[k] = (timings[k] ?? 0) + performance.now() - t; return x; });
  };
  const run = fresh.component.prepare('mutation($e: [IngestedEntity!]!) { ingestEntities(entities: $e) { created errors { index } } }');
  const row = (i: number) => ({
    label: `Sample number ${i} of the cohort`, age: i % 90, population: ['GBR', 'YRI', 'CHB', 'PUR'][i % 4], collected: `20${String(10 + i % 15)}-0${1 + i % 9}-1${i % 9}`, depth: i / 7, tags: [`t${i % 20}`, `batch-${i % 500}`],
  });
  for (let round = 0; round < 5; round++) {
    for (const k of Object.keys(timings)) delete timings[k];
    const e = Array.from({ length: 5000 }, (_, i) => ({ entityType: 'Sample', id: `r${round}-${i}`, data: row(round * 5000 + i) }));
    const cpu = process.cpuUsage();
    const started = performance.now();
    await run({ e }, callerWith('admin'));
    const ms = performance.now() - started;
    const used = process.cpuUsage(cpu);
    console.log(`round ${round}: ${Math.round(5000 / ms * 1000)} rows/s, ${Math.round(ms)} ms; node cpu ${Math.round((used.user + used.system) / 1000)} ms`, JSON.stringify(Object.fromEntries(Object.entries(timings).map(([k, v]) => [k, Math.round(v)]))));
    if (process.env.COPY) console.log('copy', Math.round(5e6 / await copyBaseline(fresh.database, 'Sample', `r${round}-`, `copy${round}-`)));
  }
  expect(1).toBe(1);
}, 120000);
