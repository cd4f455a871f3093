// Adds a condition: a field, how to compare, and a value, with the values that there are most of.
import { type FormEvent, type ReactNode, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { operation } from '../../api/operation.ts';
import { useQuery } from '../../api/use-api.ts';
import { useAddress } from '../../address/address.tsx';
import type { FacetQuery, FacetQueryVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';
import { numberText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { needsValue, type Operator, OPERATORS, operatorsOf, writeCondition } from './conditions.ts';
import type { Listing, TypeInfo } from './listing.ts';

const FACET = operation<FacetQuery, FacetQueryVariables>(/* GraphQL */ `
  query Facet($type: String!, $field: String!, $filter: String, $at: DateTime) {
    aggregate(entityType: $type, groupBy: [$field], filter: $filter, limit: 8, asOf: $at) {
      groups {
        key
        count
      }
    }
  }
`);

type Field = TypeInfo['allFields'][number];

/** Types whose values are few enough to list them. */
const FACETED: ReadonlySet<string> = new Set(['string', 'enum', 'bool', 'ref', 'int']);

function Facet({
  listing,
  field,
  onChoose,
}: {
  readonly listing: Listing;
  readonly field: Field;
  readonly onChoose: (value: string) => void;
}): ReactNode {
  const { at = null } = useAddress();
  const skip = !FACETED.has(field.type) || field.many;
  const { data } = useQuery(
    FACET,
    { type: listing.type.name, field: field.name, filter: listing.filter ?? null, at },
    { skip, quiet: true },
  );
  // a filter that the database cannot decide by itself has no facets
  const groups = (data?.aggregate.groups ?? []).flatMap(({ key, count }) => {
    const value = (key as Readonly<Record<string, unknown>>)[field.name]; // grouped by it
    return ['string', 'number', 'boolean'].includes(typeof value)
      ? [{ text: `${value as string}`, count }]
      : [];
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

const choicesOf = ({ type, values }: Field): readonly string[] | undefined =>
  type === 'bool' ? ['true', 'false'] : (values ?? undefined);

function ValueInput({
  field,
  value,
  onChange,
}: {
  readonly field: Field;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  const choices = choicesOf(field);
  const shared = { id: 'condition-value', value, required: true };
  return (
    <div className="field">
      <label htmlFor="condition-value">Value</label>
      {choices ? (
        <select
          {...shared}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        >
          <option value="">Choose …</option>
          {choices.map((choice) => (
            <option key={choice}>{choice}</option>
          ))}
        </select>
      ) : (
        <input
          {...shared}
          {...(field.type === 'datetime' ? { placeholder: '2026-01-31T00:00:00Z' } : {})}
          {...(field.type === 'date' ? { placeholder: '2026-01-31' } : {})}
          inputMode={field.type === 'int' || field.type === 'float' ? 'decimal' : 'text'}
          onChange={(event) => {
            onChange(event.target.value);
          }}
        />
      )}
    </div>
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
      <div className="field">
        <label htmlFor="condition-field">Field</label>
        <select
          id="condition-field"
          value={name}
          onChange={(event) => {
            setName(event.target.value);
            setValue('');
          }}
        >
          {fields.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="condition-op">Comparison</label>
        <select
          id="condition-op"
          value={chosen}
          onChange={(event) => {
            setOp(event.target.value as Operator); // one of the options
          }}
        >
          {operators.map((one) => (
            <option key={one} value={one}>
              {OPERATORS[one]}
            </option>
          ))}
        </select>
      </div>
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
