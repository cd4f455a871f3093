// The code of an error of the operating system, a socket or a driver, such as ENOENT; undefined if it has none.
export function systemErrorCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}
