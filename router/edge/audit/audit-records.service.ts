// Audit records for administrators (docs/reference/gateway.md#reading-audit-records).
import { badRequest, DomainError } from '../../../platform/errors.ts';
import type { Identity } from '../../../platform/identity.ts';
import { decodeCursor, instantPart, type Page, pageOf, textPart } from '../../../platform/paging.ts';
import { allows, assertAllProjects } from '../../../platform/permissions.ts';
import { isUnstorable } from '../../../platform/queryable.ts';
import { isUuid } from '../../../platform/uuid.ts';
import type { AuditFilter, AuditPlace, ReadRecord } from './audit-records.store.ts';
import type { AuditSettings } from './open-audit-log.ts';

export interface AuditQuery {
  readonly filter: AuditFilter;
  readonly limit: number;
  readonly cursor: string | null;
}

export interface AuditRecords {
  /**
   * @throws DomainError `conflict` where records are not written to the database, `project_scope_denied` for a caller of
   * some projects, `invalid_request`
   */
  list(query: AuditQuery, caller: Identity): Promise<Page<ReadRecord>>;
  /** Whether the caller may read records: an administrator of all projects. */
  mayRead(caller: Identity): boolean;
  /** The first record of each request, by its id; none for callers that may not read them, or where they are elsewhere. */
  ofRequests(ids: readonly string[], caller: Identity): Promise<ReadonlyMap<string, ReadRecord>>;
}

export interface AuditReads {
  readonly list: (
    filter: AuditFilter,
    after: AuditPlace | null,
    limit: number,
  ) => Promise<readonly ReadRecord[]>;
  readonly ofRequests: (ids: readonly string[]) => Promise<readonly ReadRecord[]>;
}

const MAX_RECORDS = 500;
const NUMBER = /^\d{1,18}$/;

export function createAuditRecords({ enabled, backend }: AuditSettings, read: AuditReads): AuditRecords {
  const mayRead = (caller: Identity): boolean => allows(caller, 'audit:read') && caller.projects === '*';
  return {
    mayRead,
    async ofRequests(ids, caller) {
      const isThere = enabled && backend === 'postgres' && mayRead(caller);
      const records = isThere ? await read.ofRequests(ids) : [];
      return new Map(records.map((record) => [record.requestId, record]));
    },
    async list({ filter, limit, cursor }, caller) {
      // records tell of requests of all projects, and of entities in their paths
      assertAllProjects(caller, 'the audit log');
      if (!enabled || backend !== 'postgres')
        throw new DomainError(
          'conflict',
          `audit records are ${enabled ? `written to the backend ${backend}` : 'not written'}: they can be read here where observability.audit_log.backend is postgres`,
        );
      if (!Number.isInteger(limit) || limit < 1 || limit > MAX_RECORDS)
        throw badRequest(`limit must be an integer from 1 to ${MAX_RECORDS}`);
      const place = decodeCursor(cursor, [
        instantPart,
        (value) => textPart(value) && NUMBER.test(String(value)),
      ]);
      const after = place === null ? null : { timestamp: String(place[0]), id: String(place[1]) };
      const isNone =
        (filter.requestId !== null && !isUuid(filter.requestId)) ||
        [filter.actor, filter.method, filter.pathPrefix, filter.action].some(isUnstorable);
      const rows = isNone ? [] : await read.list(filter, after, limit + 1);
      return pageOf(rows, limit, ({ timestamp, id }) => [timestamp, id]);
    },
  };
}
