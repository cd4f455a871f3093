// Two productions, runs, rules or types side by side: which, in the address (`of`, `one` and `other`).
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { Missing, Page } from '../../frame/page.tsx';
import { TextField } from '../../parts/form.tsx';
import { Given } from '../../parts/value.tsx';
import { ProductionDiff } from '../rules/production-diff.tsx';
import { RuleDiff } from '../rules/rule-diff.tsx';
import { RunDiff } from '../runs/run-diff.tsx';
import { SchemaDiff, type TypeVersion } from '../types/schema-diff.tsx';
import { Candidates, type Kind } from './candidates.tsx';

const KINDS: Readonly<Record<Kind, { readonly title: string; readonly hint: string }>> = {
  production: { title: 'productions', hint: 'The id of a production.' },
  run: { title: 'runs', hint: 'The id of a run.' },
  rule: { title: 'rules', hint: 'name@version, or a name for its active version.' },
  type: { title: 'types', hint: 'name@version, or a name for its current version.' },
};

const isKind = (text: string): text is Kind => Object.hasOwn(KINDS, text);

const typeOf = (text: string): TypeVersion => {
  const [, name = text, version = null] = /^([^@]*)@(.+)$/s.exec(text) ?? [];
  return { name, version };
};

function Diff({ kind, one, other }: Record<'one' | 'other', string> & { readonly kind: Kind }): ReactNode {
  if (kind === 'production') return <ProductionDiff of={one} and={other} />;
  if (kind === 'run') return <RunDiff of={one} and={other} />;
  if (kind === 'rule') return <RuleDiff label="Differences of the rules" of={one} and={other} />;
  return <SchemaDiff label="Differences of the types" of={typeOf(one)} and={typeOf(other)} />;
}

function Choose({ kind, one, other }: Record<'one' | 'other', string> & { readonly kind: Kind }): ReactNode {
  const { set } = useAddress();
  const [first, setFirst] = useState(one);
  const [second, setSecond] = useState(other);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ one: first.trim(), other: second.trim() });
  };
  const { hint } = KINDS[kind];
  return (
    <form className="card" onSubmit={submit} aria-label="What is compared">
      <div className="columns">
        <TextField id="compare-one" label="Before" hint={hint} required value={first} onChange={setFirst} />
        <TextField
          id="compare-other"
          label="After"
          hint={hint}
          required
          value={second}
          onChange={setSecond}
        />
      </div>
      <div className="row">
        <button type="submit" className="button first">
          Compare
        </button>
        {one !== '' && other !== '' && (
          <Link to="compare" params={{ of: kind, one: other, other: one }} className="button">
            The other way round
          </Link>
        )}
      </div>
    </form>
  );
}

export default function Compare(): ReactNode {
  const { params } = useAddress();
  const kind = params.get('of') ?? '';
  const [one, other] = [params.get('one') ?? '', params.get('other') ?? ''];
  if (!isKind(kind))
    return (
      <Missing title="Compare">
        <p>
          Two{' '}
          <Link to="compare" params={{ of: 'production' }}>
            productions
          </Link>
          ,{' '}
          <Link to="compare" params={{ of: 'run' }}>
            runs
          </Link>
          ,{' '}
          <Link to="compare" params={{ of: 'rule' }}>
            rules
          </Link>{' '}
          or{' '}
          <Link to="compare" params={{ of: 'type' }}>
            types
          </Link>
          .
        </p>
      </Missing>
    );
  return (
    <Page
      title={`Two ${KINDS[kind].title}`}
      about={
        one === '' ? (
          'Choose the first, then the second.'
        ) : (
          <>
            <Given text={one} most={200} /> and{' '}
            {other === '' ? 'another one' : <Given text={other} most={200} />}
          </>
        )
      }
    >
      <Choose key={JSON.stringify([kind, one, other])} kind={kind} one={one} other={other} />
      {one === '' || other === '' ? (
        <Candidates kind={kind} one={one} />
      ) : (
        <Diff kind={kind} one={one} other={other} />
      )}
    </Page>
  );
}
