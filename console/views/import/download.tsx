// A file that is made in the page.
import type { ReactNode } from 'react';
import { Icon } from '../../parts/icons.tsx';

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
      const url = URL.createObjectURL(new Blob(['\uFEFF', text()], { type: 'text/csv' }));
      const link = document.createElement('a');
      link.href = url;
      link.download = name;
      link.click();
      URL.revokeObjectURL(url);
    }}
  >
    <Icon name="download" /> {children}
  </button>
);
