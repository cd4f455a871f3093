// Inputs with their labels and hints.
import type { InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';

interface FieldProps {
  readonly id: string;
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly children: ReactNode;
}

const hintId = (id: string, hint: ReactNode): string | undefined =>
  hint === undefined ? undefined : `${id}-hint`;

/** A label with its input, whose id it names. */
export const Field = ({ id, label, hint, children }: FieldProps): ReactNode => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    {children}
    {hint !== undefined && (
      <p className="hint" id={hintId(id, hint)}>
        {hint}
      </p>
    )}
  </div>
);

interface TextFieldProps
  extends
    Omit<FieldProps, 'children'>,
    Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'value' | 'onChange' | 'children'> {
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export const TextField = ({ id, label, hint, onChange, ...input }: TextFieldProps): ReactNode => (
  <Field id={id} label={label} hint={hint}>
    <input
      {...input}
      id={id}
      aria-describedby={hintId(id, hint)}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  </Field>
);

interface SelectProps<Choice extends string> extends Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'value' | 'onChange' | 'children'
> {
  readonly value: string;
  readonly choices: readonly Choice[];
  /** What stands for none of them; without it one has to be chosen. */
  readonly none?: string;
  readonly textOf?: (choice: Choice) => string;
  readonly onChange: (choice: Choice | '') => void;
}

export const Select = <Choice extends string>({
  choices,
  none,
  textOf = (choice) => choice,
  onChange,
  ...select
}: SelectProps<Choice>): ReactNode => (
  <select
    {...select}
    onChange={(event) => {
      onChange(event.target.value as Choice | ''); // one of the options
    }}
  >
    {none !== undefined && <option value="">{none}</option>}
    {choices.map((choice) => (
      <option key={choice} value={choice}>
        {textOf(choice)}
      </option>
    ))}
  </select>
);

interface ChoiceProps<Choice extends string> extends SelectProps<Choice> {
  readonly id: string;
  readonly label: string;
}

/** A choice beside its label, for the heads of views and lists. */
export const LabelledSelect = <Choice extends string>({
  label,
  ...select
}: ChoiceProps<Choice>): ReactNode => (
  <div className="row">
    <label htmlFor={select.id} className="quiet">
      {label}
    </label>
    <span>
      <Select {...select} />
    </span>
  </div>
);
