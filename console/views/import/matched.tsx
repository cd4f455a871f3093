// A sheet whose type is known: matched, checked, corrected, loaded.
import { type ReactNode, useMemo, useState } from 'react';
import { Fault, Loading } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';
import type { TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { useCheck } from './check.ts';
import { Columns } from './columns.tsx';
import { Load } from './load.tsx';
import { Rows } from './rows.tsx';
import { guessedMatching } from './guess-id.ts';
import { entityOf, type Made, type Matching, repeatedIds, type Sheet } from './sheet.ts';

const NONE: ReadonlySet<number> = new Set();

function corrected(sheet: Sheet, row: number, column: number, text: string): Sheet {
  return {
    ...sheet,
    rows: sheet.rows.map((one, i) =>
      i === row ? { ...one, cells: sheet.columns.map((_, c) => (c === column ? text : one.cells[c])) } : one,
    ),
  };
}

/** A load takes them one after the other: what is meant to be two entities becomes one. */
function Repeated({
  sheet,
  entities,
}: {
  readonly sheet: Sheet;
  readonly entities: readonly Made[];
}): ReactNode {
  const repeated = useMemo(() => repeatedIds(sheet, entities), [sheet, entities]);
  if (repeated === undefined) return null;
  const {
    count,
    first: { id, lines },
  } = repeated;
  return (
    <p className="notice warn" role="status">
      <span>
        {plural(count, 'row has', 'rows have')} an id that an earlier row has, such as <Given text={id} /> in
        lines {numberText(lines[0])} and {numberText(lines[1])}: the later row changes the entity of the
        earlier one.
      </span>
    </p>
  );
}

interface MatchedProps {
  readonly sheet: Sheet;
  readonly type: TypeInfo;
  readonly idColumn: string | undefined;
  readonly onSheet: (sheet: Sheet) => void;
}

export function Matched({ sheet, type, idColumn, onSheet }: MatchedProps): ReactNode {
  const [matching, setMatching] = useState<Matching>(() => guessedMatching(sheet, type, idColumn));
  const [edited, setEdited] = useState(NONE);
  const entities = useMemo(
    () => sheet.rows.map((row) => entityOf(row, matching, type)),
    [sheet, matching, type],
  );
  const check = useCheck(entities);
  const { outcomes, done, error } = check;
  return (
    <>
      <Columns
        sheet={sheet}
        type={type}
        matching={matching}
        onChange={(next) => {
          setMatching(next);
          setEdited(NONE);
          check.forget();
        }}
      />
      <Repeated sheet={sheet} entities={entities} />
      <div className="row">
        <button
          type="button"
          className={`button${outcomes === undefined || edited.size > 0 ? ' first' : ''}`}
          disabled={done !== undefined || matching.uses.every(({ to }) => to === '')}
          onClick={() => {
            setEdited(NONE);
            check.run(entities);
          }}
        >
          {outcomes === undefined ? 'Check' : 'Check again'}
        </button>
        {done !== undefined && (
          <Loading what={`what would become of ${plural(entities.length, 'row')} (${numberText(done)})`} />
        )}
      </div>
      {error && <Fault error={error} />}
      {outcomes !== undefined && (
        <>
          <Rows
            sheet={sheet}
            type={type}
            matching={matching}
            outcomes={outcomes}
            corrected={edited}
            onCorrect={(row, column, text) => {
              onSheet(corrected(sheet, row, column, text));
              setEdited((before) => new Set([...before, row]));
            }}
          />
          <Load
            sheet={sheet}
            type={type.name}
            entities={entities}
            outcomes={outcomes}
            isStale={edited.size > 0 || done !== undefined}
          />
        </>
      )}
    </>
  );
}
