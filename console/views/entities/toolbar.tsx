// Search, filters, columns and exports of a listing.
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Link, useAddress } from '../../address/address.tsx';
import { Icon } from '../../parts/icons.tsx';
import { AddCondition } from './add-condition.tsx';
import { Chart, groupable } from './chart.tsx';
import { needsValue, OPERATORS, writeCondition } from './conditions.ts';
import { Exports } from './exports.tsx';
import { Expression } from './expression.tsx';
import type { Listing } from './listing.ts';

function Search({ listing }: { readonly listing: Listing }): ReactNode {
  const [typed, setTyped] = useState(listing.words);
  useEffect(() => {
    setTyped(listing.words);
  }, [listing.words]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    listing.change({ q: typed.trim() });
  };
  return (
    <form role="search" className="search" onSubmit={submit}>
      <input
        type="search"
        aria-label={`Search ${listing.type.name}`}
        placeholder="Words, then Enter"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          if (event.target.value === '' && listing.words !== '') listing.change({ q: undefined });
        }}
      />
    </form>
  );
}

/** Columns that can be looked through without a search. */
const FEW = 12;

function ColumnBoxes({ listing: { type, columns, change } }: { readonly listing: Listing }): ReactNode {
  const [part, setPart] = useState('');
  const wanted = part.trim().toLowerCase();
  const shown = type.allFields.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      {type.allFields.length > FEW && (
        <input
          type="search"
          aria-label="Columns whose names contain"
          placeholder="Part of a name"
          value={part}
          onChange={(event) => {
            setPart(event.target.value);
          }}
        />
      )}
      {shown.map(({ name }) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={columns.includes(name)}
            onChange={(event) => {
              const next = event.target.checked ? [...columns, name] : columns.filter((one) => one !== name);
              change({ cols: next.join(',') || '-' });
            }}
          />
          <bdi>{name}</bdi>
        </label>
      ))}
      {shown.length === 0 && <p className="quiet">No column has such a name.</p>}
    </>
  );
}

const ColumnsChoice = ({ listing }: { readonly listing: Listing }): ReactNode => (
  <DialogTrigger>
    <Button className="button">
      Columns
      <Icon name="down" />
    </Button>
    <Popover className="popover roomy">
      <Dialog aria-label="Columns" className="stack">
        <ColumnBoxes listing={listing} />
      </Dialog>
    </Popover>
  </DialogTrigger>
);

export function Chips({
  listing,
  withWords = false,
}: {
  readonly listing: Listing;
  /** Where no search has them. */
  readonly withWords?: boolean;
}): ReactNode {
  const { words, conditions, own, showsGone, change } = listing;
  const chips = [
    ...(withWords && words !== ''
      ? [
          {
            key: 'words',
            text: `words: ${words}`,
            remove: () => {
              change({ q: undefined });
            },
          },
        ]
      : []),
    ...conditions.map((condition, i) => ({
      key: `${i} ${writeCondition(condition)}`,
      text: `${condition.field} ${OPERATORS[condition.op]}${needsValue(condition.op) ? ` ${condition.value}` : ''}`,
      remove: () => {
        change({ f: conditions.filter((_, other) => other !== i).map(writeCondition) });
      },
    })),
    ...(own === ''
      ? []
      : [
          {
            key: 'own',
            text: own,
            remove: () => {
              change({ filter: undefined });
            },
          },
        ]),
    ...(showsGone
      ? [
          {
            key: 'gone',
            text: 'unavailable ones too',
            remove: () => {
              change({ gone: undefined });
            },
          },
        ]
      : []),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className="row" aria-label="Conditions in force">
      {chips.map(({ key, text, remove }) => (
        <li key={key} className="chip">
          <bdi>{text}</bdi>
          <button type="button" aria-label={`Remove: ${text}`} onClick={remove}>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function ChartSwitch({ listing: { type } }: { readonly listing: Listing }): ReactNode {
  const { params, set } = useAddress();
  const isShown = params.has('by');
  return (
    <button
      type="button"
      className="button"
      aria-expanded={isShown}
      onClick={() => {
        set({ by: isShown ? undefined : groupable(type)[0], of: undefined, per: undefined });
      }}
    >
      Chart
    </button>
  );
}

const ChangesLink = ({
  listing: { type, words, conditions, own, showsGone },
}: {
  readonly listing: Listing;
}): ReactNode => (
  <Link
    to="differences"
    params={{
      type: type.name,
      q: words === '' ? undefined : words,
      f: conditions.map(writeCondition),
      filter: own,
      gone: showsGone ? '1' : undefined,
    }}
    className="button"
  >
    What changed
  </Link>
);

export function Toolbar({ listing }: { readonly listing: Listing }): ReactNode {
  const { params, set } = useAddress();
  const showsExpression = (params.get('expression') ?? (listing.own === '' ? '0' : '1')) === '1';
  const opener = useRef<HTMLButtonElement>(null);
  return (
    <div className="filters">
      <div className="toolbar">
        <Search listing={listing} />
        <div className="toolbar">
          <AddCondition listing={listing} />
          <button
            type="button"
            className="button"
            ref={opener}
            aria-expanded={showsExpression}
            onClick={() => {
              set({ expression: showsExpression ? '0' : '1' }, { replace: true });
            }}
          >
            Expression
          </button>
          {groupable(listing.type).length > 0 && <ChartSwitch listing={listing} />}
          <ChangesLink listing={listing} />
          <ColumnsChoice listing={listing} />
          <Exports listing={listing} />
          <button
            type="button"
            className="button"
            aria-pressed={listing.showsGone}
            onClick={() => {
              listing.change({ gone: listing.showsGone ? undefined : '1' });
            }}
          >
            Unavailable too
          </button>
        </div>
      </div>
      {showsExpression && <Expression listing={listing} opener={opener} />}
      <Chips listing={listing} />
      {params.has('by') && <Chart listing={listing} />}
    </div>
  );
}
