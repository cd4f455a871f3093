// What tabs tell each other of their loads: how far each is, and where one ended before its time. It is kept in this
// browser, without a row of the sheet, until the load has been ended, somebody has read of it, or signs out.
import { useEffect, useState } from 'react';
import { isData } from '../api/json.ts';

export interface ToldLoad {
  readonly id: string;
  readonly actor: string;
  readonly sheetName: string;
  readonly type: string;
  readonly count: number;
  readonly done: number;
  /** Over the rows that are done, to know them again; undefined where the browser computes none. */
  readonly digest?: string | undefined;
  /** Whether each row has an id, so that loading it again changes nothing. */
  readonly hasIds: boolean;
  /** Of the latest news, in milliseconds; 0 where the tab said that the load has ended. */
  readonly at: number;
}

const PREFIX = 'cairn-load-';
/** A part takes seconds; after so long without news its tab is gone. */
const GONE_MS = 60_000;
const LOOK_MS = 5000;

export const isUnderWay = ({ at }: ToldLoad): boolean => Date.now() - at < GONE_MS;

export function tellLoad(load: ToldLoad): void {
  localStorage.setItem(PREFIX + load.id, JSON.stringify(load));
}

export function forgetToldLoad(id: string): void {
  localStorage.removeItem(PREFIX + id);
  dispatchEvent(new StorageEvent('storage')); // browsers tell the other tabs alone
}

const keys = (): readonly string[] => Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));

export function forgetToldLoads(): void {
  for (const key of keys()) localStorage.removeItem(key);
}

function read(key: string): readonly ToldLoad[] {
  const told: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
  // written by `tellLoad`, of this version or another
  return isData(told) && typeof told['done'] === 'number' ? [told as unknown as ToldLoad] : [];
}

const readAll = (): readonly ToldLoad[] => keys().flatMap(read);

/** Loads of this browser's tabs, as far as they are told. */
export function useToldLoads(): readonly ToldLoad[] {
  const [loads, setLoads] = useState(readAll);
  useEffect(() => {
    const look = (): void => {
      setLoads(readAll());
    };
    addEventListener('storage', look);
    const timer = setInterval(look, LOOK_MS); // nobody tells of a tab that crashed
    return () => {
      removeEventListener('storage', look);
      clearInterval(timer);
    };
  }, []);
  return loads;
}
