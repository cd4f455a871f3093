// Shows the requests of the current view as something to run elsewhere.
import { type ReactNode, useState } from 'react';
import { SNIPPETS, type SnippetKind } from '../api/snippets.ts';
import { useShownRequests } from '../api/shown-requests.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog, useOpen } from '../parts/overlays.tsx';
import { Empty } from '../parts/states.tsx';

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

export function CopyRequest(): ReactNode {
  const requests = useShownRequests();
  const { isOpen, open, close } = useOpen();
  const [kind, setKind] = useState<SnippetKind>('GraphQL');
  const [name, setName] = useState('');
  const names = [...new Set(requests.map((request) => request.name))];
  const shown = requests.find((request) => request.name === name) ?? requests.at(-1);
  return (
    <>
      <button type="button" className="button bare" onClick={open}>
        <Icon name="copy" />
        <span className="label">Copy request</span>
        <span className="visually-hidden"> of this view</span>
      </button>
      <Dialog title="Requests of this view" isOpen={isOpen} isWide onClose={close}>
        {shown === undefined ? (
          <Empty title="This view asks for nothing" />
        ) : (
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
        )}
      </Dialog>
    </>
  );
}
