// Any valid document over the federated graphs gets the stock gateway's answer, or the specification's if
// that one is known to be wrong.
import { fc, test } from '@fast-check/vitest';
import { afterAll, beforeAll, expect } from 'vitest';
import { RandomDocument } from './random-document.ts';
import { type Answer, essence, openGraph, type OpenGraph } from './graph.ts';
import { graphs } from './graphs.ts';

const opened: OpenGraph[] = [];
beforeAll(async () => {
  for (const graph of graphs) opened.push(await openGraph(graph, false));
});
afterAll(() => Promise.all(opened.map((graph) => graph.close())));

/**
 * The exact data, and the kinds of errors. The stock gateway omits errors about hidden values if there are
 * other errors; and below a non-null field, GraphQL does not specify which of several failures are reported.
 */
function told({ data, errors = [] }: Answer, stock: Answer, source: string): unknown {
  if (/dear|strict|gone|must/.test(source)) return [data, errors.length > 0];
  return [data, errors.filter((e) => !e.startsWith('INTERNAL_ERROR') || stock.errors?.includes(e))];
}

test.prop([fc.nat({ max: graphs.length - 1 }), fc.gen()], {
  seed: 20261122,
  numRuns: 100,
  interruptAfterTimeLimit: 20_000,
  markInterruptAsFailure: false,
})("random documents over federated graphs get the stock gateway's answer", async (index, draw) => {
  const [graph, open] = [graphs[index], opened[index]];
  if (!graph || !open) throw new Error('every graph is open');
  const source = new RandomDocument(draw, open.schema, graph.literals ?? {}).text();
  let stock: Answer;
  try {
    stock = essence(await open.stock(source));
  } catch {
    return; // the planner itself refuses it
  }
  for (const way of [open.own, open.planned]) {
    const answer = essence(await way(source));
    expect(told(answer, stock, source), `${graph.name}: ${source}`).toEqual(told(stock, stock, source));
  }
});
