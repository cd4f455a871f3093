// The operations of a component that is served over HTTP: one prepared operation per document.
import { getOperationAST, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { Component, PreparedOperation } from './component.ts';

const CACHED_DOCUMENTS = 2000;

export interface AskedDocument {
  readonly query: string;
  readonly operationName: string | undefined;
}

export interface SubgraphOperation {
  readonly run: PreparedOperation;
  /** Whether the operation must finish once it has started. */
  readonly writes: boolean;
}

/** @throws GraphQLError or DomainError for a document that is not valid */
export type FindOperation = (document: AskedDocument) => SubgraphOperation;

export function operationsOf(component: Component): FindOperation {
  const prepared = new LRUCache<string, SubgraphOperation>({ max: CACHED_DOCUMENTS });
  return ({ query, operationName }) => {
    const key = `${operationName ?? ''} ${query}`;
    const known = prepared.get(key);
    if (known) return known;
    const run = component.prepare(query, operationName); // parses the document within its limits
    const made: SubgraphOperation = {
      run,
      writes: getOperationAST(parse(query), operationName)?.operation === 'mutation',
    };
    prepared.set(key, made);
    return made;
  };
}
