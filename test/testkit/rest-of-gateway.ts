// What a gateway's subgraph needs, in tests of something else in it: no records, no configuration, no sign-ins.
import { noAudit } from './no-audit.ts';
import { noBackups } from './no-backups.ts';
import { noSignIns } from './no-sign-ins.ts';
import { noMeasurements } from './no-measurements.ts';
import { Why } from '../../router/why/why.service.ts';
import { testLog } from './database.ts';

export const restOfGateway = {
  audit: noAudit,
  configuration: { file: '', settings: [] },
  signIns: noSignIns,
  systemMetrics: noMeasurements,
  backups: noBackups,
  why: new Why({ sources: [], audit: noAudit }),
  log: testLog,
} as const;
