// The fields of the form of a rule.
import type { ReactNode } from 'react';
import { useSession } from '../../frame/session.tsx';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { NO_OUTPUT, type OutputDraft, type RuleDraft } from './rule-draft.ts';

interface OutputProps {
  readonly output: OutputDraft;
  readonly number: number;
  readonly types: readonly string[];
  readonly onChange: (output: OutputDraft) => void;
}

/** One of the things that the workflow makes. */
const Output = ({ output, number, types, onChange }: OutputProps): ReactNode => (
  <fieldset className="stack">
    <legend>Makes</legend>
    <Field id={`makes-${number}`} label="Entities of type">
      <Select
        id={`makes-${number}`}
        value={output.type}
        none="– choose –"
        required
        choices={types}
        onChange={(type) => {
          onChange({ ...output, type });
        }}
      />
    </Field>
    <TextField
      id={`from-${number}`}
      label="From output"
      hint="The workflow's output that has the fields; empty where its outputs are the fields."
      value={output.from}
      onChange={(from) => {
        onChange({ ...output, from });
      }}
    />
    <label className="row">
      <input
        type="checkbox"
        checked={output.isPerItem}
        onChange={(event) => {
          onChange({ ...output, isPerItem: event.target.checked });
        }}
      />
      The output is a list: one entity for each item
    </label>
    <Field
      id={`match-${number}`}
      label="Known by"
      hint="A line for each field that tells one from another: donor = {donor}"
    >
      <textarea
        id={`match-${number}`}
        className="mono"
        rows={2}
        spellCheck={false}
        value={output.match}
        onChange={(event) => {
          onChange({ ...output, match: event.target.value });
        }}
      />
    </Field>
  </fieldset>
);

interface PartProps {
  readonly draft: RuleDraft;
  readonly change: (more: Partial<RuleDraft>) => void;
}

export const About = ({ draft, change, isNew }: PartProps & { readonly isNew: boolean }): ReactNode => {
  const { actor, is } = useSession();
  return (
    <>
      <TextField
        id="rule-name"
        label="Name"
        required
        readOnly={!isNew}
        maxLength={120}
        value={draft.name}
        onChange={(name) => {
          change({ name });
        }}
      />
      <TextField
        id="rule-description"
        label="Description"
        value={draft.description}
        onChange={(description) => {
          change({ description });
        }}
      />
      <Field id="rule-scope" label="For">
        <Select
          id="rule-scope"
          value={draft.scope}
          choices={[...new Set([...(is('analyst') ? ['global'] : []), actor, draft.scope])]}
          textOf={(scope) => (scope === 'global' ? 'everybody' : `${scope} alone`)}
          onChange={(scope) => {
            change({ scope });
          }}
        />
      </Field>
    </>
  );
};

export const Source = ({ draft, change }: PartProps): ReactNode => (
  <>
    <Field
      id="rule-requires"
      label="From"
      hint="A line for each entity that it needs: Sample(sample_id={sample_id}); empty for nothing."
    >
      <textarea
        id="rule-requires"
        className="mono"
        rows={2}
        spellCheck={false}
        value={draft.requires}
        onChange={(event) => {
          change({ requires: event.target.value });
        }}
      />
    </Field>
    <TextField
      id="rule-url"
      label="Address of the workflow (CWL)"
      type="url"
      hint="Or its text below, where it is one document."
      value={draft.url}
      onChange={(url) => {
        change({ url });
      }}
    />
    <Field id="rule-text" label="Workflow (CWL)">
      <textarea
        id="rule-text"
        className="mono"
        rows={16}
        spellCheck={false}
        disabled={draft.url.trim() !== ''}
        value={draft.text}
        onChange={(event) => {
          change({ text: event.target.value });
        }}
      />
    </Field>
  </>
);

export const Outputs = ({
  draft,
  change,
  types,
}: PartProps & { readonly types: readonly string[] }): ReactNode => (
  <>
    {draft.outputs.map((output, i) => (
      <Output
        key={i}
        number={i + 1}
        output={output}
        types={types}
        onChange={(next) => {
          change({ outputs: draft.outputs.map((one, at) => (at === i ? next : one)) });
        }}
      />
    ))}
    <div className="row">
      <button
        type="button"
        className="button"
        onClick={() => {
          change({ outputs: [...draft.outputs, NO_OUTPUT] });
        }}
      >
        It makes something else, too
      </button>
      {draft.outputs.length > 1 && (
        <button
          type="button"
          className="button"
          onClick={() => {
            change({ outputs: draft.outputs.slice(0, -1) });
          }}
        >
          Remove the last
        </button>
      )}
    </div>
  </>
);
