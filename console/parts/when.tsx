// An instant that is chosen: local time in the field, an instant of the API in the address.
import type { ReactNode } from 'react';
import { TextField } from './form.tsx';
import { fieldOf, instantOfField } from './text.ts';

export const When = ({
  id,
  label,
  iso,
  onChoose,
}: {
  readonly id: string;
  readonly label: string;
  readonly iso: string | undefined;
  readonly onChoose: (iso: string | undefined) => void;
}): ReactNode => (
  <TextField
    id={id}
    label={label}
    type="datetime-local"
    step="1"
    value={fieldOf(iso)}
    onChange={(typed) => {
      onChoose(instantOfField(typed));
    }}
  />
);
