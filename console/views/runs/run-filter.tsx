// What runs are looked for by: in force is what the address says.
import { type FormEvent, type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import type { RunsQueryVariables, RunStatus } from '../../generated/api.ts';
import { LabelledSelect, TextField } from '../../parts/form.tsx';
import { fieldOf, instantOfField, isInstant, wordsOf } from '../../parts/text.ts';

const STATUSES: readonly RunStatus[] = [
  'queued',
  'running',
  'success',
  'partial_success',
  'failed',
  'skipped',
];

/** Parameters of the address that a form of its own changes. */
const NAMES = ['since', 'until', 'cause', 'request', 'error'] as const;
type Name = (typeof NAMES)[number];

const instantIn = (params: URLSearchParams, name: Name): string | null => {
  const iso = params.get(name);
  return iso !== null && isInstant(iso) ? iso : null;
};

type Filter = Pick<RunsQueryVariables, 'status' | 'since' | 'until' | 'causedBy' | 'requestId' | 'error'>;

/** The conditions in the address. */
export const runFilterOf = (params: URLSearchParams): Filter => ({
  status: STATUSES.find((one) => one === params.get('status')) ?? null,
  since: instantIn(params, 'since'),
  until: instantIn(params, 'until'),
  causedBy: params.get('cause'),
  requestId: params.get('request'),
  error: params.get('error'),
});

const isNarrowed = (params: URLSearchParams): boolean => NAMES.some((name) => params.has(name));
const NOTHING = Object.fromEntries([...NAMES, 'page'].map((name) => [name, undefined]));

const textsIn = (params: URLSearchParams): Readonly<Record<Name, string>> => ({
  since: fieldOf(params.get('since')),
  until: fieldOf(params.get('until')),
  cause: params.get('cause') ?? '',
  request: params.get('request') ?? '',
  error: params.get('error') ?? '',
});

function Conditions(): ReactNode {
  const { params, set } = useAddress();
  const [texts, setTexts] = useState(() => textsIn(params));
  const change =
    (name: Name) =>
    (text: string): void => {
      setTexts((before) => ({ ...before, [name]: text }));
    };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const { since, until, cause, request, error } = texts;
    set({
      since: instantOfField(since, params.get('since')),
      until: instantOfField(until, params.get('until')),
      cause: cause.trim(),
      request: request.trim(),
      error: error.trim(),
      page: undefined,
    });
  };
  const field = (name: Name, label: string, placeholder?: string): ReactNode => (
    <TextField
      id={`runs-${name}`}
      label={label}
      placeholder={placeholder}
      {...(name === 'since' || name === 'until' ? { type: 'datetime-local', step: '1' } : {})}
      value={texts[name]}
      onChange={change(name)}
    />
  );
  return (
    <form className="card searchform" role="search" aria-label="Runs" onSubmit={submit}>
      <div className="fields">
        {field('since', 'Queued from')}
        {field('until', 'Queued before')}
        {field('error', 'Error contains')}
        {field('cause', 'Fired by', 'run:…, tick:…, request:…')}
        {field('request', 'Id of the request')}
      </div>
      <div className="row">
        {isNarrowed(params) && (
          <button
            type="button"
            className="button"
            onClick={() => {
              set(NOTHING);
            }}
          >
            Remove these conditions
          </button>
        )}
        <button type="submit" className="button first">
          Find
        </button>
      </div>
    </form>
  );
}

/** @param triggers those to choose from; undefined where the list is of one */
export function RunFilter({ triggers }: { readonly triggers?: readonly string[] }): ReactNode {
  const { params, set } = useAddress();
  const trigger = params.get('trigger') ?? '';
  const key = NAMES.map((name) => params.get(name)).join('\n');
  return (
    <div className="stack">
      <div className="row">
        {triggers !== undefined && (
          <LabelledSelect
            id="run-trigger"
            label="Trigger"
            none="any"
            value={trigger}
            // one that is no longer configured has runs all the same
            choices={trigger === '' || triggers.includes(trigger) ? triggers : [trigger, ...triggers]}
            onChange={(chosen) => {
              set({ trigger: chosen, page: undefined });
            }}
          />
        )}
        <LabelledSelect
          id="run-status"
          label="Status"
          none="any"
          value={runFilterOf(params).status ?? ''}
          choices={STATUSES}
          textOf={wordsOf}
          onChange={(chosen) => {
            set({ status: chosen, page: undefined });
          }}
        />
      </div>
      <details open={isNarrowed(params)}>
        <summary>Time, cause and error</summary>
        <Conditions key={key} />
      </details>
    </div>
  );
}
