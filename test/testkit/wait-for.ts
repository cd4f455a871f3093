import { vi } from 'vitest';

/**
 * What `check` gives once it neither throws nor rejects; its last error after two minutes. Vitest's own limit, one
 * second, is shorter than what a machine that others use may hold a process up for.
 */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: 120_000 });
