// The causal chain of anything that a key names: `/console/why?subject=file:sha256:…`.
import { type FormEvent, Fragment, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { Page } from '../../frame/page.tsx';
import { TextField } from '../../parts/form.tsx';
import { Empty } from '../../parts/states.tsx';
import { Given } from '../../parts/value.tsx';
import { useReadsAudit } from './reads-audit.ts';
import { StillMade } from './still-made.tsx';
import { Why } from './why.tsx';

function Choose(): ReactNode {
  const { set } = useAddress();
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({ subject: typed.trim() });
  };
  return (
    <form className="card" onSubmit={submit}>
      <div className="split">
        <TextField
          id="why-subject"
          label="Of what"
          required
          placeholder="entity:<id>, run:<id>, production:<id>, file:sha256:<hash>"
          value={typed}
          onChange={setTyped}
        />
        <button type="submit" className="button first">
          Show
        </button>
      </div>
      <p className="quiet small">
        The pages of entities, runs, rules and productions lead here as well: “Why it exists”.
      </p>
    </form>
  );
}

/** For an address that somebody else has sent. */
const MayNot = (): ReactNode => (
  <Empty title="This needs the role admin in all projects">
    <p>
      Requests are shown by their audit records. What a request did is shown by the entities that it wrote.
    </p>
  </Empty>
);

export default function WhyView(): ReactNode {
  const { params } = useAddress();
  const readsAudit = useReadsAudit();
  const subject = params.get('subject');
  return (
    <Page
      title="Why"
      about={
        subject === null ? 'What brought something about, and what it led to.' : <Given text={subject} />
      }
    >
      {subject === null && <Choose />}
      {subject !== null &&
        (subject.startsWith('request:') && !readsAudit ? (
          <MayNot />
        ) : (
          <Fragment key={subject}>
            <StillMade subject={subject} />
            <Why subject={subject} />
          </Fragment>
        ))}
    </Page>
  );
}
