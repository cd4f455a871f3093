// The operating system account of this process: the actor of changes without a request.
import os from 'node:os';

export const operator = (): string => `os:${os.userInfo().username}`;
