// Cases of the federation specification: each has the same answer by direct execution, by a plan and by the
// stock gateway, with subgraphs in the process and behind HTTP.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Document, essence, openGraph, type OpenGraph } from './graph.ts';
import { graphs } from './graphs.ts';

/** The stock gateway's answers, which do not depend on the transport. */
const stockAnswers = new Map<Document, Promise<Answer>>();

function stockAnswer(open: OpenGraph, document: Document): Promise<Answer> {
  const known = stockAnswers.get(document);
  const asked = known ?? open.stock(document.source, document.variables).then(essence);
  stockAnswers.set(document, asked);
  return asked;
}

describe.each(graphs.flatMap((graph) => [false, true].map((isRemote) => ({ graph, isRemote }))))(
  '$graph.name, subgraphs behind HTTP: $isRemote',
  ({ graph, isRemote }) => {
    let open: OpenGraph;
    beforeAll(async () => {
      open = await openGraph(graph, isRemote);
    });
    afterAll(() => open.close());

    const plannable = graph.documents.filter((one) => one.unplannable === undefined);
    const unplannable = graph.documents.filter((one) => one.unplannable !== undefined);

    test.each(plannable)('$source', async (document) => {
      const { source, variables, strategy, answer, instead } = document;
      const stock = await stockAnswer(open, document);
      const { why, ...other } = instead ?? { why: undefined, ...stock };
      if (why !== undefined) expect(stock, 'the stock gateway has come to agree').not.toEqual(other);
      if (strategy !== undefined) expect(open.strategyOf(source)).toBe(strategy);
      const expected = answer ?? other;
      expect(other).toEqual(expected);
      expect(essence(await open.own(source, variables))).toEqual(expected);
      expect(essence(await open.planned(source, variables)), 'by a plan').toEqual(expected);
    });

    test.for(unplannable)('the planner refuses $source', async ({ source }) => {
      expect(() => open.strategyOf(source)).toThrow();
      await expect(open.stock(source)).rejects.toThrow();
    });
  },
);
