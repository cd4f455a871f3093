// Adds a condition: a field, how to compare, and a value, with the values that there are most of.
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { isData } from '../../api/json.ts';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { useAddress } from '../../address/address.tsx';
import type { FacetQuery, FacetQueryVariables } from '../../generated/api.ts';
import { choicesOf, isNumeric } from '../../parts/field-kind.ts';
import { Field, Select, TextField } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { numberText, plainText } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { needsValue, type Operator, OPERATORS, operatorsOf, writeCondition } from './conditions.ts';
import type { Listing } from './listing.ts';

const FACET = operation<FacetQuery, FacetQueryVariables>(/* GraphQL */ `
  query Facet($type: String!, $field: String!, $filter: String, $q: String, $at: DateTime) {
    aggregate(entityType: $type, groupBy: [$field], filter: $filter, q: $q, limit: 8, asOf: $at) {
      groups {
        key
        count
      }
    }
  }
`);

type FieldInfo = TypeInfo['allFields'][number];

/** Types whose values are few enough to list them. */
const FACETED: ReadonlySet<string> = new Set(['string', 'enum', 'bool', 'ref', 'int']);

function Facet({
  listing,
  field,
  onChoose,
}: {
  readonly listing: Listing;
  readonly field: FieldInfo;
  readonly onChoose: (value: string) => void;
}): ReactNode {
  const { at = null } = useAddress();
  const skip = !FACETED.has(field.type) || field.many;
  const { data } = useQuery(
    FACET,
    { type: listing.type.name, field: field.name, filter: listing.filter ?? null, q: listing.words, at },
    { skip },
  );
  // a filter that the database cannot decide by itself has no facets
  const groups = (data?.aggregate.groups ?? []).flatMap(({ key, count }) => {
    const text = isData(key) ? plainText(key[field.name]) : undefined;
    return text === undefined ? [] : [{ text, count }];
  });
  if (skip || groups.length === 0) return null;
  return (
    <div className="field">
      <span className="label" id="facet">
        Most frequent
      </span>
      <ul aria-labelledby="facet">
        {groups.map(({ text, count }) => (
          <li key={text} className="row apart">
            <button
              type="button"
              className="button bare"
              onClick={() => {
                onChoose(text);
              }}
            >
              <Given text={text} most={60} />
            </button>
            <span className="quiet small number">{numberText(count)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function ValueInput({
  field,
  value,
  onChange,
}: {
  readonly field: FieldInfo;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const choices = choicesOf(field);
  const id = 'condition-value';
  if (choices !== undefined)
    return (
      <Field id={id} label="Value">
        <Select id={id} value={value} required none="Choose …" choices={choices} onChange={onChange} />
      </Field>
    );
  return (
    <TextField
      id={id}
      label="Value"
      required
      {...(field.type === 'datetime' ? { placeholder: '2026-01-31T00:00:00Z' } : {})}
      {...(field.type === 'date' ? { placeholder: '2026-01-31' } : {})}
      inputMode={isNumeric(field) ? 'decimal' : 'text'}
      value={value}
      onChange={onChange}
    />
  );
}

function Form({ listing, onDone }: { readonly listing: Listing; readonly onDone: () => void }): ReactNode {
  const fields = listing.type.allFields;
  const [name, setName] = useState(fields[0]?.name ?? '');
  const [op, setOp] = useState<Operator>('eq');
  const [value, setValue] = useState('');
  const field = fields.find((one) => one.name === name);
  if (field === undefined) return <p>This type has no fields.</p>;
  const operators = operatorsOf(field);
  const chosen = operators.includes(op) ? op : (operators[0] ?? 'has');
  const add = (wanted: Operator, given: string): void => {
    const condition = writeCondition({ field: name, op: wanted, value: given });
    listing.change({ f: [...listing.conditions.map(writeCondition), condition] });
    onDone();
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    add(chosen, needsValue(chosen) ? value : '');
  };
  return (
    <form className="stack" onSubmit={submit}>
      <Field id="condition-field" label="Field">
        <Select
          id="condition-field"
          value={name}
          choices={fields.map((one) => one.name)}
          onChange={(other) => {
            setName(other);
            setValue('');
          }}
        />
      </Field>
      <Field id="condition-op" label="Comparison">
        <Select
          id="condition-op"
          value={chosen}
          choices={operators}
          textOf={(one) => OPERATORS[one]}
          onChange={(other) => {
            if (other !== '') setOp(other);
          }}
        />
      </Field>
      {needsValue(chosen) && <ValueInput field={field} value={value} onChange={setValue} />}
      <button type="submit" className="button first">
        Add the condition
      </button>
      <Facet
        listing={listing}
        field={field}
        onChoose={(text) => {
          add('eq', text);
        }}
      />
    </form>
  );
}

export const AddCondition = ({ listing }: { readonly listing: Listing }): ReactNode => (
  <DialogTrigger>
    <Button className="button">
      <Icon name="filter" />
      Filter
    </Button>
    <Popover className="popover roomy">
      <Dialog aria-label="Add a condition">{({ close }) => <Form listing={listing} onDone={close} />}</Dialog>
    </Popover>
  </DialogTrigger>
);
