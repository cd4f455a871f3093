// What a wish may say beside the fields of the entity: parameters of the workflow, its rule, and which stored results
// may be used.
import { type ReactNode, useState } from 'react';
import { type Data, isData } from '../../api/json.ts';
import { TextField } from '../../parts/form.tsx';

/** An object of values by name, null for none; undefined for a text that is none. */
export function parametersIn(text: string): Data | null | undefined {
  if (text.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(text);
    return isData(value) ? value : undefined;
  } catch {
    return undefined; // it is being written
  }
}

export interface More {
  readonly parameters: string;
  /** Of any rule where it is empty. */
  readonly rule: string;
  readonly isFresh: boolean;
}

interface Props {
  readonly more: More;
  readonly onChange: (more: More) => void;
}

export function MoreWishes({ more, onChange }: Props): ReactNode {
  // a field that is emptied does not close what it is in
  const [isOpen] = useState(more.parameters !== '' || more.rule !== '' || more.isFresh);
  return (
    <details open={isOpen}>
      <summary>Parameters of the workflow, its rule, and what may be reused</summary>
      <div className="stack">
        <TextField
          id="wish-parameters"
          label="Parameters"
          className="mono"
          spellCheck={false}
          placeholder='{"threads": 4}'
          hint={
            parametersIn(more.parameters) === undefined
              ? 'This is no JSON object.'
              : 'Values for inputs of the workflow by name, as a JSON object. What was made with others is not reused.'
          }
          value={more.parameters}
          onChange={(parameters) => {
            onChange({ ...more, parameters });
          }}
        />
        <TextField
          id="wish-rule"
          label="Rule"
          type="search"
          autoComplete="off"
          hint="The only rule that may make it, by name or name@version. Leave it empty for any that matches."
          value={more.rule}
          onChange={(rule) => {
            onChange({ ...more, rule });
          }}
        />
        <label className="row">
          <input
            type="checkbox"
            checked={more.isFresh}
            onChange={({ target }) => {
              onChange({ ...more, isFresh: target.checked });
            }}
          />
          Reuse only what is not stale
        </label>
      </div>
    </details>
  );
}
