// The pages of the console, as navigation and palette list them.
import type { IconName } from '../parts/icons.tsx';

export interface PageEntry {
  readonly view: string;
  readonly title: string;
  readonly icon: IconName;
  /** Views that belong to it. */
  readonly of: readonly string[];
}

export const PAGES: readonly PageEntry[] = [
  { view: '', title: 'Home', icon: 'home', of: [] },
  { view: 'entities', title: 'Entities', icon: 'entities', of: ['entity', 'differences'] },
  { view: 'import', title: 'Import', icon: 'import', of: [] },
  { view: 'types', title: 'Types', icon: 'types', of: [] },
  { view: 'lineage', title: 'Lineage', icon: 'lineage', of: [] },
  { view: 'runs', title: 'Triggers and runs', icon: 'runs', of: ['run', 'trigger'] },
  {
    view: 'rules',
    title: 'Rules and productions',
    icon: 'rules',
    of: ['rule', 'ask', 'production', 'refresh'],
  },
  { view: 'admin', title: 'Administration', icon: 'admin', of: [] },
];
