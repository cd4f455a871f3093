// Audit records of a gateway without any.
import type { AuditRecords } from '../../router/edge/audit/audit-records.service.ts';

export const noAudit: AuditRecords = {
  list: () => Promise.resolve({ items: [], nextCursor: null }),
  mayRead: () => false,
  ofRequests: () => Promise.resolve(new Map()),
};
