// What the audit log is searched for, as a form; in force is what the address says.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import type { AuditFilter } from '../../generated/api.ts';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { fieldOf, instantOfField } from '../../parts/text.ts';

/** Statuses of what came of a request. */
const OUTCOMES = {
  succeeded: { minStatus: null, maxStatus: 399 },
  refused: { minStatus: 400, maxStatus: 499 },
  failed: { minStatus: 500, maxStatus: null },
} as const;
type Outcome = keyof typeof OUTCOMES;
// keys of a constant are its own
const OUTCOME_NAMES = Object.keys(OUTCOMES) as Outcome[];

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'WS', 'CLI'] as const;

/** Parameters of the address that say what is searched for. */
const NAMES = ['actor', 'method', 'path', 'outcome', 'action', 'since', 'until'] as const;
type Name = (typeof NAMES)[number];

/** The conditions in the address; at a chosen time, of what was recorded until then. */
export function auditFilterOf(params: URLSearchParams, at: string | undefined): AuditFilter {
  const outcome = OUTCOME_NAMES.find((name) => name === params.get('outcome'));
  return {
    actor: params.get('actor'),
    method: params.get('method'),
    pathPrefix: params.get('path'),
    action: params.get('action'),
    since: params.get('since'),
    until: params.get('until') ?? at ?? null,
    ...(outcome === undefined ? {} : OUTCOMES[outcome]),
  };
}

export const isFiltered = (params: URLSearchParams): boolean => NAMES.some((name) => params.has(name));

type Texts = Readonly<Record<Name, string>>;
const textsIn = (params: URLSearchParams): Texts => {
  const of = (name: Name): string => params.get(name) ?? '';
  return {
    actor: of('actor'),
    method: of('method'),
    path: of('path'),
    outcome: of('outcome'),
    action: of('action'),
    since: fieldOf(of('since')),
    until: fieldOf(of('until')),
  };
};

function Choices({
  texts,
  onChange,
}: {
  readonly texts: Texts;
  readonly onChange: (name: Name) => (text: string) => void;
}): ReactNode {
  return (
    <>
      <Field id="audit-method" label="Method">
        <Select
          id="audit-method"
          value={texts.method}
          none="any"
          choices={METHODS}
          onChange={onChange('method')}
        />
      </Field>
      <Field id="audit-outcome" label="Outcome">
        <Select
          id="audit-outcome"
          value={texts.outcome}
          none="any"
          choices={OUTCOME_NAMES}
          onChange={onChange('outcome')}
        />
      </Field>
    </>
  );
}

export function AuditSearch(): ReactNode {
  const { params, set } = useAddress();
  const [texts, setTexts] = useState(() => textsIn(params));
  const change =
    (name: Name) =>
    (text: string): void => {
      setTexts((before) => ({ ...before, [name]: text }));
    };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    set({
      ...texts,
      since: instantOfField(texts.since, params.get('since')),
      until: instantOfField(texts.until, params.get('until')),
      cursor: undefined,
    });
  };
  return (
    <form className="card searchform" role="search" aria-label="Audit records" onSubmit={submit}>
      <div className="fields">
        <TextField id="audit-actor" label="Actor" value={texts.actor} onChange={change('actor')} />
        <TextField id="audit-path" label="Path begins with" value={texts.path} onChange={change('path')} />
        <TextField id="audit-action" label="Change" value={texts.action} onChange={change('action')} />
        <Choices texts={texts} onChange={change} />
        <TextField
          id="audit-since"
          label="From"
          type="datetime-local"
          step="1"
          value={texts.since}
          onChange={change('since')}
        />
        <TextField
          id="audit-until"
          label="Before"
          type="datetime-local"
          step="1"
          value={texts.until}
          onChange={change('until')}
        />
      </div>
      <div className="row apart">
        <p className="quiet small">
          Actors are exact, such as <code>user:ada</code>; changes are those of keys and accounts, such as{' '}
          <code>api_key</code> or <code>api_key.create</code>.
        </p>
        <div className="row">
          {isFiltered(params) && (
            <button
              type="button"
              className="button"
              onClick={() => {
                set(Object.fromEntries([...NAMES, 'cursor'].map((name) => [name, undefined])));
              }}
            >
              Show all
            </button>
          )}
          <button type="submit" className="button first">
            Search
          </button>
        </div>
      </div>
    </form>
  );
}
