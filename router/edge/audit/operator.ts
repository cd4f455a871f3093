// Who works on this machine, as far as it knows: the actor of what nobody asked the server for.
import os from 'node:os';

export const operator = (): string => `os:${os.userInfo().username}`;
