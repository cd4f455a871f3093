// Rights and definitions in the histories of the tests of the past.
import type { Acting } from '../../platform/acting.ts';
import type { rememberTriggers } from '../../subgraphs/workflow/triggers/triggers.store.ts';

export const rightsOf = (project: string | null): Acting => ({
  roles: ['service'],
  projects: project === null ? '*' : [project],
  credential: null,
});

type Remembered = Parameters<typeof rememberTriggers>[1][number];

const DEFINITIONS: Readonly<Record<string, Pick<Remembered, 'type' | 'status' | 'definition'>>> = {
  nightly: {
    type: 'schedule',
    status: 'scheduled',
    definition: {
      name: 'nightly',
      type: 'schedule',
      project: 'alpha',
      schedule: '0 3 * * *',
      timezone: 'UTC',
    },
  },
  'by-hand': { type: 'manual', status: 'idle', definition: { name: 'by-hand', type: 'manual' } },
  'from-lab': { type: 'webhook', status: 'listening', definition: { name: 'from-lab', type: 'webhook' } },
};

/** @param n a trigger whose definition has another number is another one */
export const runsAs = (name: string, n = 0): Remembered => {
  const known = DEFINITIONS[name];
  if (known === undefined) throw new Error(`there is no trigger ${name}`);
  return { name, ...known, definition: { ...(known.definition as object), n } };
};
