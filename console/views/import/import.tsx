// Import: a sheet is read in the browser, its columns become fields, the server says what would become of each
// row, and what is right is loaded.
import { type ReactNode, useState } from 'react';
import { useAddress } from '../../address/address.tsx';
import { useQuery } from '../../api/use-api.ts';
import { WriteInPresent } from '../../frame/in-present.tsx';
import { Page } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import { LabelledSelect } from '../../parts/form.tsx';
import { useSheetLoad } from '../../parts/sheet-load.ts';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import { ownLast, TYPE_INFOS, type TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { Download } from './download.tsx';
import { Drop, useSheet } from './drop.tsx';
import { Loaded } from './load.tsx';
import { Matched } from './matched.tsx';
import { Propose } from './propose.tsx';
import { csvText, guessedType, type Sheet } from './sheet.ts';

/** A file with the columns that a sheet of the type has. */
const Template = ({ type }: { readonly type: TypeInfo }): ReactNode => (
  <Download
    name={`${type.name}.csv`}
    text={() => csvText([['id', ...type.allFields.map(({ name }) => name)]])}
  >
    Template of {type.name}
  </Download>
);

const Chosen = ({ sheet, onOther }: { readonly sheet: Sheet; readonly onOther: () => void }): ReactNode => (
  <p className="row">
    <strong>
      <Given text={sheet.name} most={100} />
    </strong>
    <span className="quiet">
      {plural(sheet.rows.length, 'row')}, {plural(sheet.columns.length, 'column')}
    </span>
    <button type="button" className="button" onClick={onOther}>
      Choose another
    </button>
  </p>
);

const NEW = 'new';

function TypeChoice({
  types,
  type,
  canPropose,
  onChange,
}: {
  readonly types: readonly TypeInfo[];
  readonly type: TypeInfo | undefined;
  readonly canPropose: boolean;
  readonly onChange: () => void;
}): ReactNode {
  const { set } = useAddress();
  return (
    <div className="row">
      {types.length > 0 && (
        <LabelledSelect
          id="import-type"
          label="Type"
          none="– choose –"
          value={type?.name ?? ''}
          choices={types.map(({ name }) => name)}
          onChange={(name) => {
            onChange();
            set({ type: name, show: undefined, new: undefined });
          }}
        />
      )}
      {type !== undefined && <Template type={type} />}
      {canPropose && (
        <button
          type="button"
          className="button"
          onClick={() => {
            set({ new: '1' });
          }}
        >
          Propose a new type
        </button>
      )}
    </div>
  );
}

function Steps({
  types,
  reload,
}: {
  readonly types: readonly TypeInfo[];
  readonly reload: () => void;
}): ReactNode {
  const { params, set } = useAddress();
  const [idColumn, setIdColumn] = useState<string>();
  const type = types.find(({ name }) => name === params.get('type'));
  const { sheet, error, isReading, read, setSheet } = useSheet((one) => {
    const guess = guessedType(one.columns, types);
    set({ type: type?.name ?? guess?.name, show: undefined, new: undefined }, { replace: true });
  });
  const isNew = params.get(NEW) === '1' && type === undefined;
  const load = useSheetLoad();
  if (load !== undefined) return <Loaded load={load} />;
  return (
    <>
      {sheet === undefined ? (
        <Drop onFile={read} />
      ) : (
        <Chosen
          sheet={sheet}
          onOther={() => {
            setSheet(undefined);
          }}
        />
      )}
      {isReading && <Loading what="the sheet" />}
      {error && <Fault error={error} />}
      <TypeChoice
        types={types}
        type={type}
        canPropose={sheet !== undefined && type === undefined && !isNew}
        onChange={() => {
          setIdColumn(undefined);
        }}
      />
      {sheet !== undefined && type === undefined && !isNew && (
        <p className="quiet">No type has the columns of this sheet: choose one, or propose a new one.</p>
      )}
      {sheet !== undefined && isNew && (
        <Propose
          sheet={sheet}
          onRegistered={(name, column) => {
            setIdColumn(column ?? undefined);
            set({ type: name, new: undefined });
            reload();
          }}
        />
      )}
      {sheet !== undefined && type !== undefined && (
        <Matched
          key={`${type.name} ${sheet.name}`}
          sheet={sheet}
          type={type}
          idColumn={idColumn}
          onSheet={setSheet}
        />
      )}
    </>
  );
}

function Import(): ReactNode {
  const answer = useQuery(TYPE_INFOS, {});
  return (
    <Shown answer={answer} what="the types">
      {({ schemas }) => <Steps types={ownLast(schemas)} reload={answer.reload} />}
    </Shown>
  );
}

export default function ImportView(): ReactNode {
  const { is } = useSession();
  return (
    <Page
      title="Import"
      about="Entities from a sheet: match its columns, see what would become of each row, correct, load."
    >
      {is('analyst') ? (
        <WriteInPresent what="An import">
          <Import />
        </WriteInPresent>
      ) : (
        <Empty title="You may look, not write">
          <p>Importing needs the role analyst. An administrator gives roles.</p>
        </Empty>
      )}
    </Page>
  );
}
