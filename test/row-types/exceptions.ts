// What the check of row types leaves out, and why. An entry that is no longer needed fails the test.

const NAMES = 'a command with a name of a role, a channel or an index in it; it has no rows';
const SEVERAL = 'several commands in one text, which cannot be described';
const REPLICATION = 'a statement of the replication protocol, which has no plan';
const COPIED = 'tables, columns and triggers that the database itself lists: commands, COPY and counts';

/** By `file#function`. */
export const NOT_DESCRIBED: Readonly<Record<string, string>> = {
  'platform/archive/walk-rows.store.ts#walkLines':
    'a cursor over one column, `line`, whose statements an archive names',
  'platform/budget/bounded-query.ts#run': 'sends what it is given: whoever gives it is held',
  'platform/database/ask-aside.ts#askAside': SEVERAL,
  'platform/database/listener.ts#leave': NAMES,
  'platform/database/listener.ts#listenTo': NAMES,
  'platform/database/migrations.ts#applyMigrations': SEVERAL,
  'platform/database/restore-into.ts#prepareRestore': SEVERAL,
  'platform/database/standing.ts#beginAtPlace': SEVERAL,
  'platform/database/roles.ts#canBecome': NAMES,
  'platform/database/roles.ts#createRole': NAMES,
  'platform/database/roles.ts#ensureRoles': NAMES,
  'platform/database/roles.ts#grantRights': SEVERAL,
  'platform/database/roles.ts#letAppLogIn': NAMES,
  'platform/database/roles.ts#letOwnerCreateSchemas': NAMES,
  'standalone/archives.ts#exportWith': SEVERAL,
  'standalone/archives/restore.ts#restore': SEVERAL,
  'standalone/archiving/copied-data.ts#submit': REPLICATION,
  'standalone/archiving/restore-until.ts#finish': SEVERAL,
  'standalone/archiving/wal-stream.ts#open': REPLICATION,
  'standalone/archiving/write-base.ts#copyCluster': REPLICATION,
  'standalone/backups/dump.store.ts#beginSnapshot': SEVERAL,
  'standalone/backups/dump.store.ts#copyFileList': COPIED,
  'standalone/backups/dump.store.ts#copyTable': COPIED,
  'standalone/backups/load.store.ts#analyseTables': COPIED,
  'standalone/backups/load.store.ts#clearTables': COPIED,
  'standalone/backups/load.store.ts#continueCounting': COPIED,
  'standalone/backups/load.store.ts#countRows': COPIED,
  'standalone/backups/load.store.ts#fillTable': COPIED,
  'standalone/backups/load.store.ts#withoutTriggers': COPIED,
  'standalone/backups/restore.ts#begin': SEVERAL,
  'standalone/backups/restore.ts#finishRestore': SEVERAL,
  'standalone/backups/restore.ts#restoreBackup': SEVERAL,
  'subgraphs/metadata/exports/exports.store.ts#fetchRows':
    'a cursor over the text of a page, whose rows are held where pages are read',
  'subgraphs/metadata/exports/exports.store.ts#openExport': SEVERAL,
  'subgraphs/metadata/index-advisor/field-use.store.ts#dropIndex': NAMES,
  'subgraphs/metadata/index-advisor/field-use.store.ts#makeIndex': NAMES,
  'subgraphs/metadata/log/log.store.ts#openLog': SEVERAL,
  'subgraphs/metadata/search/ended-matches.ts#batches':
    'a cursor over columns whose tables a count beside it reads',
  'subgraphs/workflow/adapters/read-sql.ts#rowsOf':
    "the operator's own statement, on the operator's own database",
};

const WHERE = 'the condition wants it to be there';
const CURSOR = 'parts of a cursor, each of which was checked when the cursor was opened';
const SCORE = 'text, as the client has it from a cursor, so that no digit is lost';
const APPROVED = 'a code that was approved says for whom, and others are not redeemed';

/** By `file#function: fault`. */
export const NO_FAULT: Readonly<Record<string, string>> = {
  'platform/lease-queue/queue-table.store.ts#listOwners: "owner" may be null, and is declared as string':
    WHERE,
  'router/tokens/tokens.store.ts#open: "actor" may be null, and is declared as string': APPROVED,
  'router/tokens/tokens.store.ts#open: "roles" may be null, and is declared as ("viewer" | "analyst" | "project_lead" | "admin" | "service")[]':
    APPROVED,
  'router/tokens/tokens.store.ts#revokeByCode: "family" may be null, and is declared as string': WHERE,
  'subgraphs/artifact/productions/production-askers.store.ts#listAskers: "asker" may be null, and is declared as RequesterJson':
    WHERE,
  'subgraphs/artifact/causal-links/plan-links.store.ts#listResolvedBy: "planHash" may be null, and is declared as string':
    WHERE,
  'subgraphs/artifact/storage/stored-objects.store.ts#entitiesBackedBy: "entityType" may be null, and is declared as string':
    WHERE,
  'subgraphs/metadata/prov-json/prov-json.store.ts#eventsOf: "entityId" may be null, and is declared as string':
    WHERE,
  'subgraphs/metadata/prov-json/prov-json.store.ts#eventsOf: "entityType" may be null, and is declared as string':
    WHERE,
  'subgraphs/metadata/search/search.store.ts#searchEntities: $5 is float8, and given "1"': SCORE,
  'subgraphs/workflow/observations/failed-deliveries.store.ts#listFailedDeliveries: $2 is timestamptz, and given string | number | null':
    CURSOR,
  'subgraphs/workflow/observations/failed-deliveries.store.ts#listFailedDeliveries: $3 is text, and given string | number | null':
    CURSOR,
  'subgraphs/workflow/run-records/runs.store.ts#countRunsOfTriggers: "trigger" may be null, and is declared as string':
    WHERE,
  'subgraphs/workflow/run-records/runs.store.ts#listRunsOfTriggers: "triggerName" may be null, and is declared as string':
    WHERE,
};
