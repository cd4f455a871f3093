// A log that is read while it grows: it can be held still, copied and downloaded.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { saveFile } from './save-file.ts';
import { numberText } from './text.ts';

export interface LogLine {
  readonly key: number;
  readonly text: string;
  readonly level?: 'info' | 'warn' | 'error';
}

interface Props {
  /** What it is the log of, for those who do not see it. */
  readonly label: string;
  /** The name of the file that it is downloaded as. */
  readonly file: string;
  readonly lines: readonly LogLine[];
  /** Whether more is to come. */
  readonly isLive: boolean;
}

/** Lines that are drawn at first. */
const DRAWN = 1000;
/** Pixels from the end within which the end stays in view. */
const NEAR = 40;

const textOf = (lines: readonly LogLine[]): string => `${lines.map(({ text }) => text).join('\n')}\n`;

export function LogBox({ label, file, lines, isLive }: Props): ReactNode {
  const [held, setHeld] = useState<readonly LogLine[]>();
  const [isWhole, setWhole] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const shown = held ?? lines;
  const drawn = isWhole ? shown : shown.slice(-DRAWN);
  const unseen = Math.max(0, (lines.at(-1)?.key ?? 0) - (shown.at(-1)?.key ?? 0));
  useEffect(() => {
    const { current } = box;
    if (current && isLive && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [drawn.length, isLive]);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(textOf(shown));
    setCopied(true);
  };
  return (
    <div className="stack">
      <div className="row">
        {(isLive || held) && (
          <button
            type="button"
            className="button"
            onClick={() => {
              setHeld(held ? undefined : lines);
            }}
          >
            {held ? `Go on${unseen > 0 ? ` (${numberText(unseen)} new)` : ''}` : 'Pause'}
          </button>
        )}
        <button type="button" className="button" onClick={() => void copy()}>
          {isCopied ? 'Copied' : 'Copy'}
        </button>
        <button
          type="button"
          className="button"
          onClick={() => {
            saveFile(file, new Blob([textOf(shown)], { type: 'text/plain' }));
          }}
        >
          Download
        </button>
        {drawn.length < shown.length && (
          <button
            type="button"
            className="button bare"
            onClick={() => {
              setWhole(true);
            }}
          >
            Show all {numberText(shown.length)} lines
          </button>
        )}
        {isLive && !held && <span className="tag good">live</span>}
      </div>
      <div
        ref={box}
        className="log"
        role="region"
        aria-label={label}
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
        }}
      >
        {drawn.map(({ key, text, level }) => (
          <div key={key} className={`line ${level ?? 'info'}`}>
            {text}
          </div>
        ))}
      </div>
    </div>
  );
}
