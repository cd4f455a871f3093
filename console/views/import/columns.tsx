// Which column becomes which field: guessed by names, and changed by whoever knows better.
import type { ReactNode } from 'react';
import { LabelledSelect, Select } from '../../parts/form.tsx';
import { Table } from '../../parts/table.tsx';
import { fit } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { cellText, type Matching, type Sheet, type Use } from './sheet.ts';

/** Values of a column that show what it holds. */
const SAMPLES = 3;
const LONGEST = 24;

function samplesOf({ rows }: Sheet, column: number): string {
  const texts = new Set<string>();
  for (const { cells } of rows) {
    const text = cellText(cells[column]);
    if (text.trim() !== '') texts.add(fit(text, LONGEST));
    if (texts.size === SAMPLES) break;
  }
  return [...texts].join(', ');
}

interface Props {
  readonly sheet: Sheet;
  readonly type: TypeInfo;
  readonly matching: Matching;
  readonly onChange: (matching: Matching) => void;
}

/** Fields that no column becomes although each new entity needs them. */
const missingIn = ({ allFields }: TypeInfo, { uses }: Matching): readonly string[] =>
  allFields
    .filter(({ name, required }) => required && !uses.some(({ to }) => to === name))
    .map(({ name }) => name);

function IdChoice({ sheet, matching, onChange }: Omit<Props, 'type'>): ReactNode {
  const { id } = matching;
  return (
    <div className="row">
      <LabelledSelect
        id="import-id"
        label="The id of each entity is in"
        none="– no column: each row is a new entity –"
        value={id === undefined ? '' : (sheet.columns[id.column] ?? '')}
        choices={sheet.columns}
        onChange={(name) => {
          const column = sheet.columns.indexOf(name);
          onChange({
            ...matching,
            id: column === -1 ? undefined : { column, prefix: id?.prefix ?? '' },
          });
        }}
      />
      {id !== undefined && (
        <>
          <label htmlFor="import-id-prefix" className="quiet">
            with, before it
          </label>
          <span>
            <input
              id="import-id-prefix"
              value={id.prefix}
              size={12}
              autoComplete="off"
              onChange={(event) => {
                onChange({ ...matching, id: { ...id, prefix: event.target.value } });
              }}
            />
          </span>
        </>
      )}
    </div>
  );
}

export function Columns({ sheet, type, matching, onChange }: Props): ReactNode {
  const { uses } = matching;
  const fields = type.allFields.map(({ name }) => name);
  const change = (at: number, changes: Partial<Use>): void => {
    onChange({
      ...matching,
      uses: uses.map((use, i) => {
        if (i === at) return { ...use, ...changes };
        // a field is of one column
        const isTaken = changes.to !== undefined && changes.to !== '' && use.to === changes.to;
        return isTaken ? { ...use, to: '' } : use;
      }),
    });
  };
  const missing = missingIn(type, matching);
  return (
    <div className="stack">
      <IdChoice sheet={sheet} matching={matching} onChange={onChange} />
      <Table
        label="Columns of the sheet"
        rows={sheet.columns.map((column, i) => ({ column, i }))}
        keyOf={({ column }) => column}
        columns={[
          { key: 'column', title: 'column', cell: ({ column }) => <Given text={column} most={100} /> },
          {
            key: 'samples',
            title: 'holds',
            cell: ({ i }) => (
              <span className="quiet">
                <bdi>{samplesOf(sheet, i)}</bdi>
              </span>
            ),
          },
          {
            key: 'to',
            title: 'becomes',
            cell: ({ column, i }) => (
              <Select
                aria-label={`What column ${column} becomes`}
                value={uses[i]?.to ?? ''}
                none="– left out –"
                choices={fields}
                onChange={(to) => {
                  change(i, { to });
                }}
              />
            ),
          },
          {
            key: 'prefix',
            title: 'with, before each value',
            cell: ({ column, i }) =>
              (uses[i]?.to ?? '') !== '' && (
                <input
                  aria-label={`Text before each value of column ${column}`}
                  value={uses[i]?.prefix ?? ''}
                  size={12}
                  autoComplete="off"
                  onChange={(event) => {
                    change(i, { prefix: event.target.value });
                  }}
                />
              ),
          },
        ]}
      />
      {missing.length > 0 && (
        <p className="quiet small">
          New entities also need {missing.join(', ')}; rows of stored ones do without.
        </p>
      )}
      {matching.id === undefined && (
        <p className="notice warn">
          No column has the ids: each row becomes a new entity, and again with the next import.
        </p>
      )}
    </div>
  );
}
