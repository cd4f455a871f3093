// Ctrl-K: goes to a page, a type, or the entity of an id, and does what is to be done anywhere.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useAddress } from '../address/address.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog, useOpen } from '../parts/overlays.tsx';
import { RUN_TRIGGER } from '../parts/run-trigger.ts';
import { Given } from '../parts/value.tsx';
import { BeginsRun } from './begins-run.tsx';
import { type Target, useTargets } from './palette-targets.ts';

const LABEL = 'Page, type, or id of an entity, or an action';

/** Asks once more: what a trigger begins is not to be begun by a slip. */
function RunChosen({ name, onDone }: { readonly name: string; readonly onDone: () => void }): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    box.current?.querySelector('button')?.focus();
  }, []);
  return (
    <div className="stack" ref={box}>
      <p>
        The trigger <Given text={name} most={100} /> begins a run now.
      </p>
      <footer>
        <BeginsRun
          action={RUN_TRIGGER}
          variables={{ name }}
          runOf={({ runTrigger }) => runTrigger.runId}
          onDone={onDone}
        >
          <Icon name="play" /> Run it
        </BeginsRun>
      </footer>
    </div>
  );
}

function Finder({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { go } = useAddress();
  const list = useId();
  const targets = useTargets(typed);
  const [trigger, setTrigger] = useState<string>();
  const active = Math.min(chosen, targets.length - 1);
  const rows = useRef<HTMLUListElement>(null);
  useEffect(() => {
    rows.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active, targets.length]);
  const open = (target: Target | undefined): void => {
    if (target?.trigger !== undefined) {
      setTrigger(target.trigger);
      return;
    }
    if (target === undefined) return;
    onDone();
    target.act?.();
    if (target.href !== undefined) go(target.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((active + step + targets.length) % Math.max(1, targets.length));
    else if (event.key === 'Enter') open(targets[active]);
    else return;
    event.preventDefault();
  };
  if (trigger !== undefined) return <RunChosen name={trigger} onDone={onDone} />;
  return (
    <div className="palette stack">
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={targets[active] ? `${list}-${active}` : undefined}
        aria-label={LABEL}
        placeholder={LABEL}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} ref={rows} role="listbox" aria-label="Matches">
        {targets.map((target, i) => (
          <li
            key={`${target.kind} ${target.text}`}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === active}
            onClick={() => {
              open(target);
            }}
          >
            <bdi>{target.text}</bdi>
            <span className="quiet small">{target.kind}</span>
          </li>
        ))}
      </ul>
      {targets.length === 0 && <p className="quiet">Nothing has this name or id.</p>}
    </div>
  );
}

export function Palette(): ReactNode {
  const { isOpen, open, close } = useOpen();
  useEffect(() => {
    const listen = (event: globalThis.KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open();
    };
    addEventListener('keydown', listen);
    return () => {
      removeEventListener('keydown', listen);
    };
  }, [open]);
  return (
    <>
      <button type="button" className="find" aria-keyshortcuts="Control+K" onClick={open}>
        <Icon name="search" />
        <span>Go to …</span>
        <kbd>Ctrl K</kbd>
      </button>
      <Dialog title="Go to" isOpen={isOpen} onClose={close}>
        <Finder onDone={close} />
      </Dialog>
    </>
  );
}
