// What a listing may be asked, and the page that it comes to: names checked against the schemas, before anything runs.
import { invalid } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { checkPage } from '../../../platform/paging.ts';
import { typeNamed } from './entity-writes.ts';
import type { SchemaCatalogue } from '../schemas/schema-catalogue.ts';
import { readCursor } from './page-cursor.ts';
import { type Condition, INSERTION, type OrderKey, type PageRequest } from './page-request.ts';

export interface FieldFilter { readonly name: string; readonly values: readonly string[] }

export interface ListRequest {
  readonly entityType: string | null;
  readonly filter: string | null;
  readonly fields: readonly FieldFilter[];
  readonly limit: number;
  readonly offset: number;
  readonly cursor: string | null;
  readonly orderBy: string | null;
  readonly includeUnavailable: boolean;
}

export interface PlannedPage extends PageRequest { readonly orderName: string }

/** @throws DomainError `validation_failed` */
export function planPage(request: ListRequest, catalogue: SchemaCatalogue, identity: Identity): PlannedPage {
  checkPage(request, invalid);
  const type = request.entityType === null ? null : typeNamed(catalogue, request.entityType);
  const { order, name } = orderOf(request.orderBy);
  const conditions: Condition[] = [];
  return {
    types: type?.selfAndSubtypes ?? null,
    conditions,
    availableOnly: !request.includeUnavailable,
    identity,
    order,
    orderName: name,
    limit: request.limit,
    offset: request.cursor === null ? request.offset : 0,
    after: request.cursor === null ? null : readCursor(name, order.length, order.map((k) => k.type), request.cursor),
  };
}

function orderOf(orderBy: string | null): { order: readonly OrderKey[]; name: string } {
  return orderBy === null ? { order: [INSERTION], name: '' } : { order: [INSERTION], name: '' };
}
