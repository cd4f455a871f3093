// What a trigger, or another condition in its place, would have made of what has been. Nothing is run.
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { OfNow } from '../../frame/in-present.tsx';
import type { TrialQuery, TrialQueryVariables } from '../../generated/api.ts';
import { TextField } from '../../parts/form.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { fieldOf, instantOfField, plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { Observed } from './observed.tsx';

const TRIAL = operation<TrialQuery, TrialQueryVariables>(/* GraphQL */ `
  query Trial($name: ID!, $condition: String, $since: DateTime, $until: DateTime, $limit: Int!) {
    evaluateTrigger(name: $name, condition: $condition, since: $since, asOf: $until, limit: $limit) {
      condition
      wouldFire
      trials {
        subject
        verdict
        reason
        seen
      }
    }
  }
`);
type Evaluation = TrialQuery['evaluateTrigger'];

/** Cases that are looked at. */
const MOST = 100;

/** Types that decide by a condition. */
const WITH_CONDITION: ReadonlySet<string> = new Set(['webhook', 'metadata_poll', 'schedule', 'event']);

const Trials = ({ evaluation: { wouldFire, trials } }: { readonly evaluation: Evaluation }): ReactNode =>
  trials.length === 0 ? (
    <Empty title="There is nothing to try it on">
      <p>Choose an earlier time to look back to, or a later one to look until.</p>
    </Empty>
  ) : (
    <>
      <p role="status">
        It would have fired <strong>{plural(wouldFire, 'time')}</strong>, of {plural(trials.length, 'case')}.
        {trials.length === MOST && ' There may be more: choose a shorter time.'}
      </p>
      <Table
        label="Cases"
        rows={trials.map((trial, i) => ({ ...trial, i }))}
        keyOf={({ i }) => String(i)}
        columns={[
          { key: 'verdict', title: 'verdict', cell: ({ verdict }) => <Status of={verdict} /> },
          {
            key: 'subject',
            title: 'case',
            cell: ({ subject }) => <Observed of={subject} />,
          },
          {
            key: 'seen',
            title: 'values that decided',
            cell: ({ seen }) => <Observed of={seen} />,
          },
          { key: 'reason', title: 'reason', cell: ({ reason }) => <Given text={reason ?? ''} most={300} /> },
        ]}
      />
    </>
  );

interface Props {
  readonly name: string;
  readonly type: string;
}

function Tried({ name }: { readonly name: string }): ReactNode {
  const { params, set } = useAddress();
  const [condition, since, until] = [params.get('condition'), params.get('since'), params.get('until')];
  const answer = useQuery(TRIAL, { name, condition, since, until, limit: MOST });
  const [typed, setTyped] = useState(condition ?? '');
  const [from, setFrom] = useState(fieldOf(since));
  const [to, setTo] = useState(fieldOf(until));
  // Back and Forward; a form with a key of its own would lose the focus when it is sent
  useEffect(() => {
    setTyped(condition ?? '');
    setFrom(fieldOf(since));
    setTo(fieldOf(until));
  }, [condition, since, until]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ condition: typed.trim(), since: instantOfField(from, since), until: instantOfField(to, until) });
  };
  return (
    <div className="stack">
      <OfNow what="Trigger and trial are" />
      <form className="card" onSubmit={submit} aria-label="Trial">
        <p className="quiet">
          What it would have made of what has been. Nothing is run, and the trigger is not changed.
        </p>
        <div className="columns">
          <TextField
            id="trial-condition"
            label="Condition"
            className="mono"
            spellCheck={false}
            hint="Empty for its own."
            placeholder={answer.data?.evaluateTrigger.condition ?? ''}
            value={typed}
            onChange={setTyped}
          />
          <TextField
            id="trial-since"
            label="Since"
            hint="Empty for what it looks back to by itself."
            type="datetime-local"
            step="1"
            value={from}
            onChange={setFrom}
          />
          <TextField
            id="trial-until"
            label="Until"
            hint="Empty for now. Entities are tried as they were then."
            type="datetime-local"
            step="1"
            value={to}
            onChange={setTo}
          />
        </div>
        <div>
          <button type="submit" className="button first">
            Try it
          </button>
        </div>
      </form>
      <Shown answer={answer} what="the cases">
        {({ evaluateTrigger }) => <Trials evaluation={evaluateTrigger} />}
      </Shown>
    </div>
  );
}

export const Trial = ({ name, type }: Props): ReactNode =>
  WITH_CONDITION.has(type) ? (
    <Tried name={name} />
  ) : (
    <Empty title="It has no condition">
      <p>It fires whenever it is asked to, or its event is emitted: there is nothing to try.</p>
    </Empty>
  );
