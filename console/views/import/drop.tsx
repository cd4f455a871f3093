// Where a sheet comes in: dropped, or chosen.
import { type DragEvent, type ReactNode, useState } from 'react';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { ENDINGS, readSheetFile } from './read-sheet.ts';
import type { Sheet } from './sheet.ts';

export function Drop({ onFile }: { readonly onFile: (file: File) => void }): ReactNode {
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    event.preventDefault();
    setOver(true);
  };
  return (
    <div
      className={`drop${isOver ? ' over' : ''}`}
      onDragOver={over}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [file] = event.dataTransfer.files;
        if (file) onFile(file);
      }}
    >
      <label htmlFor="sheet">Drop a sheet here, or choose one</label>
      <input
        id="sheet"
        type="file"
        accept={ENDINGS.map((ending) => `.${ending}`).join(',')}
        aria-describedby="sheet-hint"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onFile(file);
        }}
      />
      <p className="hint" id="sheet-hint">
        CSV, TSV, XLSX (its first sheet), JSON or NDJSON, up to 100,000 rows. It is read in this browser, and
        nothing is written before you say so.
      </p>
    </div>
  );
}

interface Reading {
  readonly sheet: Sheet | undefined;
  readonly error: ApiError | undefined;
  readonly isReading: boolean;
  readonly read: (file: File) => void;
  readonly setSheet: (sheet: Sheet | undefined) => void;
}

export function useSheet(onRead: (sheet: Sheet) => void): Reading {
  const [state, setState] = useState<Pick<Reading, 'sheet' | 'error' | 'isReading'>>({
    sheet: undefined,
    error: undefined,
    isReading: false,
  });
  const read = (file: File): void => {
    setState({ sheet: undefined, error: undefined, isReading: true });
    readSheetFile(file).then(
      (sheet) => {
        setState({ sheet, error: undefined, isReading: false });
        onRead(sheet);
      },
      (thrown: unknown) => {
        setState({ sheet: undefined, error: asApiError(thrown), isReading: false });
      },
    );
  };
  return {
    ...state,
    read,
    setSheet: (sheet) => {
      setState({ sheet, error: undefined, isReading: false });
    },
  };
}
