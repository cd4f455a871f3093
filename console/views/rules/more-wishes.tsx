// What a wish may say beside the fields of the entity: parameters of the workflow, and which stored results may be used.
import type { ReactNode } from 'react';
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

interface Props {
  readonly parameters: string;
  readonly isFresh: boolean;
  readonly onParameters: (text: string) => void;
  readonly onFresh: (isFresh: boolean) => void;
}

export const MoreWishes = ({ parameters, isFresh, onParameters, onFresh }: Props): ReactNode => (
  <details open={parameters !== '' || isFresh}>
    <summary>Parameters of the workflow, and what may be reused</summary>
    <div className="stack">
      <TextField
        id="wish-parameters"
        label="Parameters"
        className="mono"
        spellCheck={false}
        placeholder='{"threads": 4}'
        hint={
          parametersIn(parameters) === undefined
            ? 'This is no JSON object.'
            : 'Values for inputs of the workflow by name, as a JSON object. What was made with others is not reused.'
        }
        value={parameters}
        onChange={onParameters}
      />
      <label className="row">
        <input
          type="checkbox"
          checked={isFresh}
          onChange={({ target }) => {
            onFresh(target.checked);
          }}
        />
        Reuse only what is not stale
      </label>
    </div>
  </details>
);
