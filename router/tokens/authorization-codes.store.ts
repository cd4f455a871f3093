// The statement that creates an authorization code; it is redeemed together with creating its tokens
// (tokens.store.ts).
import { projectList, type Queryable } from '../../platform/queryable.ts';
import type { Decider } from './device-codes.store.ts';

export interface NewAuthorizationCode {
  readonly hash: Buffer;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly lifeSeconds: number;
}

async function insertAuthorizationCode(
  db: Queryable,
  code: NewAuthorizationCode,
  { actor, roles, projects }: Decider,
): Promise<void> {
  await db.query(
    `INSERT INTO gateway.authorization_code (hash, client_id, redirect_uri, code_challenge, actor, roles, projects, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, clock_timestamp() + make_interval(secs => $8))`,
    [
      code.hash,
      code.clientId,
      code.redirectUri,
      code.challenge,
      actor,
      roles,
      projectList(projects),
      code.lifeSeconds,
    ],
  );
}

export const createAuthorizationCodeStore = (db: Queryable) => ({
  insert: (code: NewAuthorizationCode, by: Decider) => insertAuthorizationCode(db, code, by),
});
export type AuthorizationCodeStore = ReturnType<typeof createAuthorizationCodeStore>;
