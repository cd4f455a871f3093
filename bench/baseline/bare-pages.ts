// What the console is compared with: pages without a framework, that ask the same API for the same data and draw them.
const HEAD = `<!doctype html><meta charset="utf-8"><title>bare</title>
<style>body{margin:0;font:15px sans-serif} #box{height:600px;width:1000px;overflow:auto} tr,td{height:36px;padding:0 8px;white-space:nowrap} td{max-width:300px;overflow:hidden}</style>
<div id="box"></div>`;

const ASK = `
const ask = async (query, variables) => {
  const response = await fetch('/graphql', {method: 'POST', headers: {'content-type': 'application/json', 'x-api-key': KEY}, body: JSON.stringify({query, variables})});
  return (await response.json()).data;
};
const box = document.getElementById('box');`;

/** A table of a given length, whose rows in sight are asked for a hundred at a time. */
const TABLE = `
const QUERY = 'query ($type: String!, $offset: Int, $count: CountMode) { entities(entityType: $type, orderBy: "id", limit: 100, offset: $offset, count: $count) { total items { id entityType version updatedAt isAvailable project data } } }';
const pages = new Map();
let total = 0;
const tall = document.createElement('div'), table = document.createElement('table');
tall.style.position = 'relative'; table.style.position = 'absolute';
tall.append(table); box.append(tall);
const draw = () => {
  const first = Math.max(0, Math.floor(box.scrollTop / 36) - 12);
  const rows = [];
  for (let i = first; i < Math.min(total, first + 42); i++) {
    const one = pages.get(Math.floor(i / 100))?.[i % 100];
    const row = document.createElement('tr');
    for (const text of one ? [one.id, ...Object.values(one.data).map((v) => typeof v === 'object' ? JSON.stringify(v) : String(v)), one.updatedAt] : ['…']) {
      const cell = document.createElement('td');
      cell.textContent = text;
      row.append(cell);
    }
    rows.push(row);
  }
  table.style.top = first * 36 + 'px';
  table.replaceChildren(...rows);
};
const need = async () => {
  const page = Math.floor(box.scrollTop / 3600);
  for (const one of [page, page + 1]) {
    if (pages.has(one) || one * 100 >= total) continue;
    pages.set(one, []);
    pages.set(one, (await ask(QUERY, {type: TYPE, offset: one * 100, count: 'NONE'})).entities.items);
    draw();
  }
};
box.addEventListener('scroll', () => { draw(); void need(); });
const first = (await ask(QUERY, {type: TYPE, offset: 0, count: 'EXACT'})).entities;
total = first.total;
pages.set(0, first.items);
tall.style.height = Math.min(total, 400000) * 36 + 'px';
draw();`;

/** Every box and every edge as SVG. */
const LINEAGE = `
const QUERY = 'query ($filter: String!, $cursor: String) { entities(entityType: "Tube", filter: $filter, limit: 1000, cursor: $cursor, count: NONE) { nextCursor items { id entityType } } }';
const all = [];
for (let cursor = null; ;) {
  const {entities} = await ask(QUERY, {filter: 'data.donor == "donor:1"', cursor});
  all.push(...entities.items);
  if ((cursor = entities.nextCursor) === null) break;
}
const NS = 'http://www.w3.org/2000/svg';
const make = (name, attributes, text) => {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text) made.textContent = text;
  return made;
};
const svg = make('svg', {width: 250 * 220 + 300, height: 40 * 50});
all.forEach(({id, entityType}, i) => {
  const x = 300 + Math.floor(i / 40) * 220, y = (i % 40) * 50;
  svg.append(make('path', {d: 'M 200 1000 C 250 1000 250 ' + (y + 20) + ' ' + x + ' ' + (y + 20), fill: 'none', stroke: '#999'}));
  svg.append(make('rect', {x, y, width: 180, height: 40, fill: '#fff', stroke: '#333'}), make('text', {x: x + 8, y: y + 16}, entityType), make('text', {x: x + 8, y: y + 33}, id));
});
box.append(svg);
document.title = 'drawn';`;

const page = (script: string, values: Readonly<Record<string, string>>): string =>
  `${HEAD}<script type="module">${Object.entries(values)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join('')}${ASK}${script}</script>`;

export const bareTable = (key: string, type: string): string => page(TABLE, { KEY: key, TYPE: type });
export const bareLineage = (key: string): string => page(LINEAGE, { KEY: key });
