// docs/reference/gateway.md#database-keys: the requirements of a login role, and the message to an
// administrator if they are not met.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../platform/database/open.ts';
import { asSuperuser, type ScratchDatabase, scratchDatabase, testLog } from '../testkit/database.ts';

let scratch: ScratchDatabase;
let login: string;

beforeEach(async () => {
  scratch = await scratchDatabase({ empty: true });
  login = `login_${randomUUID().replaceAll('-', '')}`;
});
afterEach(async () => {
  await scratch[Symbol.asyncDispose]();
  await asSuperuser(`DROP ROLE IF EXISTS ${login}`);
});

const loginUrl = (): string => {
  const url = new URL(scratch.superuserUrl);
  url.username = login;
  url.password = 'pa+ss word';
  return url.href;
};
const makeLogin = (attributes = ''): Promise<unknown> =>
  asSuperuser(`CREATE ROLE ${login} LOGIN PASSWORD 'pa+ss word' ${attributes}`);
const open = () =>
  openDatabase({ url: loginUrl(), dataDir: '/nonexistent', applicationName: 'cairn test', log: testLog });

test('a login that may create roles and owns the database needs no administrator', async () => {
  await makeLogin('CREATEROLE');
  await asSuperuser(`ALTER DATABASE ${scratch.name} OWNER TO ${login}`);
  // this server has the roles already, as if the login had created them
  await asSuperuser(`GRANT cairn_owner, cairn_app TO ${login} WITH ADMIN OPTION`);
  const database = await open();
  try {
    const { rows } = await database.pool.query(
      'SELECT current_user::text AS role, session_user::text AS login',
    );
    expect(rows).toEqual([{ role: 'cairn_app', login }]);
    await expect(database.pool.query('DELETE FROM metadata.provenance')).rejects.toMatchObject({
      code: '42501',
    });
    await expect(database.pool.query('RESET ROLE; DELETE FROM metadata.provenance')).rejects.toMatchObject({
      code: '42501',
    });
    expect(await database.prisma.entity.count()).toBe(0);
  } finally {
    await database.close();
  }
});

test('a login without rights is told what an administrator has to run, and starts once that has been run', async () => {
  await makeLogin();
  const refused = await open().then(
    () => {
      throw new Error('it started');
    },
    (error: unknown) => error,
  );
  expect(refused).toMatchObject({ code: 'component_unavailable' });
  const instructions = String(refused)
    .split('\n')
    .filter((line) => line.startsWith('  ') && !line.includes('CREATE ROLE'));
  expect(instructions).toEqual([
    `  GRANT cairn_owner, cairn_app TO "${login}";`,
    `  GRANT CREATE ON DATABASE "${scratch.name}" TO cairn_owner;`,
  ]);
  await asSuperuser(instructions.join('\n'), scratch.name);
  await (await open()).close();
});

test('once migrated, a login that can only become the application role is enough', async () => {
  await makeLogin();
  await asSuperuser(
    `GRANT cairn_owner, cairn_app TO ${login}; GRANT CREATE ON DATABASE ${scratch.name} TO cairn_owner`,
  );
  await (await open()).close();
  await asSuperuser(`REVOKE cairn_owner FROM ${login}`);
  const database = await open();
  try {
    await expect(database.pool.query('SET ROLE NONE; SET ROLE cairn_owner')).rejects.toMatchObject({
      code: '42501',
    });
  } finally {
    await database.close();
  }
});

test.each([false, true])(
  'a server that cannot be reached is named without its password, claimed (%s) or not',
  async (claim) => {
    const url = 'postgresql://ann:secret@127.0.0.1:1/cairn';
    await expect(
      openDatabase({ url, claim, dataDir: '/nonexistent', applicationName: 'cairn test', log: testLog }),
    ).rejects.toMatchObject({
      code: 'component_unavailable',
      message: expect.stringMatching(/^the database 127\.0\.0\.1:1\/cairn cannot be used: (?!.*secret)/),
    });
  },
);
