// A field of Entity, added as CONTRIBUTING.md says: who created it, stored, filterable and shown by REST. These are
// all the files that it takes.
import type { Edit } from '../guards.ts';

const COLUMN = '  project     String?\n';
const MODEL = '  madeBy      String? @map("made_by")\n';

export const MIGRATION = {
  file: 'prisma/migrations/29991231000000_who_made_it/migration.sql',
  text: `ALTER TABLE metadata.entity ADD COLUMN made_by TEXT;
ALTER TABLE metadata.entity_history ADD COLUMN made_by TEXT;
`,
};

const added = (file: string, before: string, text: string): Edit => ({
  file,
  without: before,
  becomes: text + before,
});

/** By the files that they are in, besides the migration. */
export const EDITS: readonly Edit[] = [
  added('prisma/schema.prisma', `${COLUMN}  firstEvent  BigInt                  @unique`, MODEL),
  added('prisma/schema.prisma', `${COLUMN}  firstEvent  BigInt  @map("first_event")\n  fromEvent`, MODEL),
  added(
    'subgraphs/metadata/entities/entities.graphql',
    '  "The state of the entity at another time; null',
    '  "Who created it."\n  madeBy: String\n',
  ),
  added(
    'subgraphs/metadata/entities/entities.graphql',
    '"A page of entities."\n',
    'extend type SearchHit {\n  "Who created it."\n  madeBy: String\n}\n\n',
  ),
  added(
    'platform/entity-columns.ts',
    "  { field: 'isAvailable', name:",
    "  { field: 'madeBy', name: 'made_by', type: 'text', isNullable: true, isFixed: true, inRest: true, isParameter: true },\n",
  ),
  added(
    'platform/entity-columns.ts',
    '  isAvailable: ({ before }) =>',
    '  madeBy: ({ before, actor }) => (before === null ? actor : before.madeBy),\n',
  ),
  added(
    'client/src/entity.ts',
    '  /** False once the entity was deleted',
    '  readonly madeBy: string | null;\n',
  ),
  added('client/src/entity.ts', "  isAvailable: 'is_available',", "  madeBy: 'made_by',\n"),
  added('client/src/entity.ts', "'isAvailable'];", "'madeBy' | "),
];

/** Compare the forms of an entity with one another, and the columns with the database's. */
export const TESTS = [
  'test/metadata/text-ways.test.ts',
  'test/metadata/packed-entities.test.ts',
  'test/metadata/as-of.test.ts',
  'test/archive/round-trip.test.ts',
  'test/archive/archived-columns.test.ts',
  'test/row-types/row-types.test.ts',
];
