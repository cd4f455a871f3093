// Requests as text to run elsewhere: which, in which form, and a button that copies it.
import { type ReactNode, useState } from 'react';
import type { ApiRequest } from '../api/operation.ts';
import { SNIPPETS, type SnippetKind } from '../api/snippets.ts';
import { Icon } from './icons.tsx';

// keys of a constant are its own
const KINDS = Object.keys(SNIPPETS) as SnippetKind[];

function Snippet({ text }: { readonly text: string }): ReactNode {
  const [isCopied, setCopied] = useState(false);
  return (
    <div className="stack">
      <pre className="code" tabIndex={0} data-testid="snippet">
        {text}
      </pre>
      <div className="row">
        <button
          type="button"
          className="button first"
          onClick={() => {
            void navigator.clipboard.writeText(text).then(() => {
              setCopied(true);
            });
          }}
        >
          <Icon name="copy" /> Copy
        </button>
        <span role="status" className="quiet">
          {isCopied && 'Copied.'}
        </span>
      </div>
    </div>
  );
}

function Choice({
  label,
  now,
  all,
  onChoose,
}: {
  readonly label: string;
  readonly now: string;
  readonly all: readonly string[];
  readonly onChoose: (one: string) => void;
}): ReactNode {
  return (
    <div className="row" role="group" aria-label={label}>
      {all.map((one) => (
        <button
          key={one}
          type="button"
          className={`button${one === now ? ' first' : ''}`}
          aria-pressed={one === now}
          onClick={() => {
            onChoose(one);
          }}
        >
          {one}
        </button>
      ))}
    </div>
  );
}

export function Requests({ requests }: { readonly requests: readonly ApiRequest[] }): ReactNode {
  const [kind, setKind] = useState<SnippetKind>('GraphQL');
  const [name, setName] = useState('');
  const names = [...new Set(requests.map((request) => request.name))];
  const shown = requests.find((request) => request.name === name) ?? requests.at(-1);
  if (shown === undefined) return null;
  return (
    <>
      {names.length > 1 && <Choice label="Request" now={shown.name} all={names} onChoose={setName} />}
      <Choice
        label="Form"
        now={kind}
        all={KINDS}
        onChoose={(one) => {
          setKind(one as SnippetKind); // one of KINDS
        }}
      />
      <Snippet key={kind + shown.name} text={SNIPPETS[kind](shown)} />
      <p className="quiet small">
        <code>CAIRN_KEY</code> holds an API key of yours; Administration makes them.
      </p>
    </>
  );
}
