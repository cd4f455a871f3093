// The input of one field, as its schema says.
import type { ReactNode } from 'react';
import type { FieldInfoFragment } from '../generated/api.ts';
import { choicesOf, isNumeric } from './field-kind.ts';
import { Field as Labelled, Select } from './form.tsx';

type Field = FieldInfoFragment & { readonly unique?: boolean };

interface Props {
  readonly field: Field;
  readonly text: string;
  readonly fault: string | undefined;
  readonly onChange: (text: string) => void;
}

function hintOf({ type, many, references, unique, description }: Field): string {
  const kind = references === null ? type : `id of a ${references}`;
  return [
    description ?? '',
    many ? `${kind}, one per line` : kind,
    ...(unique === true ? ['no two entities have the same'] : []),
    ...(type === 'datetime' ? ['such as 2026-01-31T12:00:00Z'] : []),
    ...(type === 'date' ? ['such as 2026-01-31'] : []),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

function Control({ field, text, fault, onChange }: Props): ReactNode {
  const choices = field.many ? undefined : choicesOf(field);
  const id = `field-${field.name}`;
  const shared = {
    id,
    value: text,
    'aria-describedby': `${id}-hint`,
    'aria-required': field.required,
    'aria-invalid': fault !== undefined,
  };
  if (choices !== undefined) return <Select {...shared} none="–" choices={choices} onChange={onChange} />;
  if (field.many || field.type === 'json' || text.length > 120 || text.includes('\n'))
    return (
      <textarea
        {...shared}
        rows={Math.min(8, Math.max(3, text.split('\n').length))}
        {...(field.type === 'json' ? { className: 'mono', spellCheck: false } : {})}
        onChange={(event) => {
          onChange(event.target.value);
        }}
      />
    );
  return (
    <input
      {...shared}
      dir="auto"
      autoComplete="off"
      inputMode={isNumeric(field) ? 'decimal' : 'text'}
      onChange={(event) => {
        onChange(event.target.value);
      }}
    />
  );
}

export function FieldInput(props: Props): ReactNode {
  const { field, fault } = props;
  const id = `field-${field.name}`;
  return (
    <Labelled
      id={id}
      label={
        <>
          <bdi>{field.name}</bdi>
          {field.required && <span className="quiet"> (required)</span>}
        </>
      }
      hint={
        <>
          {fault !== undefined && <span className="fault">{fault}. </span>}
          {hintOf(field)}
        </>
      }
    >
      <Control {...props} />
    </Labelled>
  );
}
