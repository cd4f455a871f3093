import { expect, test } from 'vitest';
import { serveProcess } from './served.ts';
import { fill } from './dense.ts';
const hops = (n: number, lim = ''): string => { let s = 'id'; for (let i = 0; i < n; i++) s = `relationships${lim} { target { ${s} } }`; return `{ entity(id: "hub-0") { ${s} } }`; };
test('try', { timeout: 400_000 }, async () => {
  const t0 = Date.now();
  await using server = await serveProcess(process.env['LIM'] ?? '');
  console.log('started', Date.now() - t0);
  await fill(server);
  console.log('filled', Date.now() - t0, await server.memory());
  const viewer = await server.newKey('viewer');
  const ops: [string, string][] = [
    ['6 hops', hops(6)], ['6 hops limit 12', hops(6, '(limit: 12)')], ['4 hops', hops(4, '(limit: 12)')], ['3 hops', hops(3, '(limit:12)')],
    ['pop 3', `{ entity(id: "population") { relationships(limit: 1000) { target { relationships(limit: 10) { source { relationships(limit: 90) { target { id data } } } } } } } }`],
    ['history x9', `{ ${Array.from({ length: 9 }, (_, i) => `a${i}: entities(entityType: "Large", limit: 1000) { items { data history { payload } } }`).join(' ')} }`],
    ['history x1', `{ entities(entityType: "Large", limit: 1000) { items { data history { payload } } } }`],
    ['large list text', `{ entities(entityType: "Large", limit: 100) { items { id data } } }`],
    ['large shown often', `{ entities(entityType: "Large", limit: 50) { items { ${Array.from({ length: 50 }, (_, i) => `d${i}: data`).join(' ')} } } }`],
    ['samples 2 levels typed', `{ typed { sampleList(first: 1000) { nodes { id name hub { id name hubs { id name } } population { id } } } } }`],
    ['samples typed entity rel', `{ typed { sampleList(first: 1000) { nodes { id hub { id entity { relationships(limit: 12) { target { id data } } } } } } } }`],
    ['fields', `{ entities(entityType: "Sample", limit: 1000) { items { ${Array.from({ length: 95 }, (_, i) => `d${i}: id`).join(' ')} stateAt(at: "2030-01-01T00:00:00Z") { id } } } }`],
    ['runs', `{ entities(entityType: "Sample", limit: 1000) { items { id runs { runId } } } }`],
  ];
  await server.loopDelay();
  for (const [name, query] of ops) {
    const lat: number[] = [];
    let on = true;
    const live = (async () => { while (on) { const f = performance.now(); await fetch(`${server.url}/livez`); lat.push(performance.now() - f); await new Promise((r) => setTimeout(r, 10)); } })();
    const a = await server.graphql(query, {}, { key: viewer });
    on = false; await live;
    const loop = await server.loopDelay();
    console.log(name.padEnd(26), a.status, a.bytes, `${Math.round(a.ms)}ms loop ${Math.round(loop)}ms livez max ${Math.round(Math.max(...lat))}`, Math.round((await server.memory()).most / 1e6), a.status === 200 ? '' : a.text.slice(0, 200));
    if (!server.isAlive()) break;
  }
  expect(server.isAlive()).toBe(true);
});
