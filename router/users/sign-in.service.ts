// Password sign-in: guessing is slow, and unknown accounts are indistinguishable from existing ones.
import { createHash } from 'node:crypto';
import { hasNoNul } from '../../platform/queryable.ts';
import { NOBODYS_HASH, verifyPassword } from './password.ts';
import type { SignInStore } from './sign-in.store.ts';
import { accountName, couldBePassword } from './users.service.ts';
import type { UserStore } from './users.store.ts';

/** `wrong`: name or password; `later`: too many recent failures, or too many attempts at this moment. */
export type SignInOutcome = { readonly name: string } | 'wrong' | 'later';

export interface SignIn {
  /** Whether the password is the account's. `ip` is the client's address. */
  withPassword(typedName: string, password: string, ip: string): Promise<SignInOutcome>;
}

/** Failures within a quarter of an hour after which further attempts are refused. */
const MAX_FAILURES = { accountFromAddress: 10, address: 100, account: 100 } as const;
/** A password check takes a core and 32 MiB for a while: limits of concurrent and of waiting checks. */
const MAX_CONCURRENT = 2;
const MAX_WAITING = 32;

const subject = (...parts: readonly string[]): Buffer =>
  createHash('sha256').update(JSON.stringify(parts)).digest();

/** Runs few tasks at a time; undefined for one that would have to wait behind too many. */
function narrow(): <Value>(work: () => Promise<Value>) => Promise<Value | undefined> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= MAX_CONCURRENT) {
      if (waiting.length >= MAX_WAITING) return undefined;
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift(); // it replaces the current session
      if (next) next();
      else running--;
    }
  };
}

export function createSignIn(users: Pick<UserStore, 'findAccount'>, store: SignInStore): SignIn {
  const gate = narrow();
  return {
    async withPassword(typedName, password, ip) {
      const name = accountName(typedName);
      if (name === '' || name.length > 100 || !hasNoNul(name) || !couldBePassword(password)) return 'wrong';
      const subjects = [
        subject('account', name, 'address', ip),
        subject('address', ip),
        subject('account', name),
      ];
      const [here = 0, address = 0, account = 0] = await store.count(subjects);
      if (
        here > MAX_FAILURES.accountFromAddress ||
        address > MAX_FAILURES.address ||
        account > MAX_FAILURES.account
      )
        return 'later';
      const found = await users.findAccount(name);
      const isRight = await gate(() => verifyPassword(password, found?.passwordHash ?? NOBODYS_HASH));
      if (isRight === undefined) {
        await store.forgive(subjects);
        return 'later';
      }
      if (!isRight || found === undefined || found.disabled) return 'wrong';
      await store.forgive(subjects);
      return { name };
    },
  };
}
