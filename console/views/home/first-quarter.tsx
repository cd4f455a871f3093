// The first quarter of an hour with the example: ten things to do, each one link away, until somebody hides them.
import { type ReactNode, useState } from 'react';
import { Link, type Changes } from '../../address/address.tsx';
import type { TypeEntry } from './counts.tsx';

interface Task {
  readonly title: string;
  readonly how: string;
  readonly view: string;
  readonly params: Changes;
}

const SAMPLE = 'sample:HG00096';

const TASKS: readonly Task[] = [
  {
    title: 'See what a type is',
    how: 'The fields of Sample, and which refer to other types.',
    view: 'types',
    params: { name: 'Sample' },
  },
  {
    title: 'Look through its entities',
    how: 'The table scrolls through all of them; choose columns, sort by a heading.',
    view: 'entities',
    params: { type: 'Sample' },
  },
  {
    title: 'Filter them',
    how: 'Filter has the frequent values of each field; this is one of them.',
    view: 'entities',
    params: { type: 'Sample', f: ['sex:eq:female'] },
  },
  {
    title: 'Write an expression',
    how: 'Fields are offered while you type; Explain says which index serves it.',
    view: 'entities',
    params: { type: 'Sample', filter: 'data.accession.startsWith("HG0009")' },
  },
  {
    title: 'Draw a chart',
    how: 'Samples of each population; a value narrows the list to it.',
    view: 'entities',
    params: { type: 'Sample', by: 'population' },
  },
  {
    title: 'Open one entity, and change it',
    how: 'Edit checks while you type, and asks for a reason.',
    view: 'entity',
    params: { id: SAMPLE },
  },
  {
    title: 'See what has become of it',
    how: 'Each change with who, when and why; See it then goes to that moment.',
    view: 'entity',
    params: { id: SAMPLE, tab: 'history' },
  },
  {
    title: 'Follow where it comes from',
    how: 'A plus reads the next step, in both directions.',
    view: 'lineage',
    params: { id: SAMPLE },
  },
  {
    title: 'Load a sheet of your own',
    how: 'Check says what would become of each row before anything is written.',
    view: 'import',
    params: { type: 'Sample' },
  },
  {
    title: 'Take a request with you',
    how: 'Copy request, above every view, has it for curl, the command line and Python.',
    view: 'entities',
    params: { type: 'Population', sort: 'data.code' },
  },
];

const HIDDEN = 'cairn-first-quarter';

export function FirstQuarter({ types }: { readonly types: readonly TypeEntry[] }): ReactNode {
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null);
  const isExample = ['Sample', 'Population'].every((wanted) => types.some(({ name }) => name === wanted));
  if (isHidden || !isExample) return null;
  return (
    <section className="card" aria-labelledby="first-quarter">
      <header>
        <h2 id="first-quarter">The first quarter of an hour</h2>
        <button
          type="button"
          className="button"
          onClick={() => {
            localStorage.setItem(HIDDEN, '1');
            setHidden(true);
          }}
        >
          Hide<span className="visually-hidden"> the first quarter of an hour</span>
        </button>
      </header>
      <ol className="tasks">
        {TASKS.map(({ title, how, view, params }) => (
          <li key={title}>
            <Link to={view} params={params}>
              {title}
            </Link>
            <span className="quiet small">{how}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
