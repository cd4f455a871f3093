// Light or dark, as it is now and as it was chosen.
import { useSyncExternalStore } from 'react';

type Scheme = 'light' | 'dark';

const listeners = new Set<() => void>();

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const now = (): Scheme => (document.documentElement.dataset['scheme'] === 'dark' ? 'dark' : 'light');

/** Remembered by this browser. */
export function chooseScheme(scheme: Scheme): void {
  document.documentElement.dataset['scheme'] = scheme;
  localStorage.setItem('cairn-scheme', scheme);
  for (const listener of listeners) listener();
}

export const useScheme = (): Scheme => useSyncExternalStore(listen, now);
