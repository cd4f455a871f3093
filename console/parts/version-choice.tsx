// Which two versions are compared: in the address.
import type { ReactNode } from 'react';
import { useAddress } from '../address/address.tsx';
import { LabelledSelect } from './form.tsx';

/**
 * @param versions the oldest first
 * @returns the two versions, by default the last two, and their choice
 */
export function useTwoVersions(versions: readonly string[]): readonly [string, string, ReactNode] {
  const { params, set } = useAddress();
  const asked = (name: string, otherwise: string): string => {
    const value = params.get(name) ?? '';
    return versions.includes(value) ? value : otherwise;
  };
  const to = asked('to', versions.at(-1) ?? '');
  const from = asked('from', versions.at(-2) ?? to);
  const choice = (
    <div className="row">
      {(['from', 'to'] as const).map((name) => (
        <LabelledSelect
          key={name}
          id={`version-${name}`}
          label={name === 'from' ? 'Compare version' : 'with version'}
          value={name === 'from' ? from : to}
          choices={versions}
          onChange={(chosen) => {
            set({ [name]: chosen }, { replace: true });
          }}
        />
      ))}
    </div>
  );
  return [from, to, choice];
}
