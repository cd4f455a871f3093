// Where Prisma's command line finds schema and migrations. The connection is made by platform/database, never
// from here.
import { defineConfig } from 'prisma/config';

export default defineConfig({
  schema: 'prisma/schema.prisma',
  migrations: { path: 'prisma/migrations' },
});
