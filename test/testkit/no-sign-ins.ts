// Sign-ins of a gateway without any.
import { createSignIns, type SignIns } from '../../router/users/sign-ins.service.ts';

const ended = { browsers: 0, tokens: 0 };

export const noSignIns: SignIns = createSignIns({
  store: {
    list: () => Promise.resolve([]),
    find: () => Promise.resolve(undefined),
    actors: () => Promise.resolve([]),
    countByClient: () => Promise.resolve(new Map()),
    end: () => Promise.resolve(ended),
    endAll: () => Promise.resolve(ended),
  },
  clients: [],
  spread: () => Promise.resolve(),
  note: () => undefined,
});
