// A file that is made in the page.
import type { ReactNode } from 'react';
import { Icon } from '../../parts/icons.tsx';
import { saveFile } from '../../parts/save-file.ts';

interface Props {
  readonly name: string;
  readonly text: () => string;
  readonly children: ReactNode;
}

export const Download = ({ name, text, children }: Props): ReactNode => (
  <button
    type="button"
    className="button"
    onClick={() => {
      // the mark tells spreadsheets that it is UTF-8
      saveFile(name, new Blob(['\uFEFF', text()], { type: 'text/csv' }));
    }}
  >
    <Icon name="download" /> {children}
  </button>
);
