// Ctrl-K: goes to a page, a type, or the entity of an id.
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from 'react';
import { operation } from '../api/operation.ts';
import { useQuery } from '../api/use-api.ts';
import type { EntityOfIdQuery, EntityOfIdQueryVariables, TypeNamesQuery } from '../generated/api.ts';
import { Icon } from '../parts/icons.tsx';
import { Dialog, useOpen } from '../parts/overlays.tsx';
import { useAddress, useHref } from '../address/address.tsx';
import { PAGES } from './pages.ts';

const TYPE_NAMES = operation<TypeNamesQuery>(/* GraphQL */ `
  query TypeNames {
    schemas {
      name
    }
  }
`);
const ENTITY_OF_ID = operation<EntityOfIdQuery, EntityOfIdQueryVariables>(/* GraphQL */ `
  query EntityOfId($id: ID!) {
    entity(id: $id) {
      id
      entityType
    }
  }
`);

interface Target {
  readonly text: string;
  readonly kind: string;
  readonly href: string;
}

const MOST = 12;

function useTargets(typed: string): readonly Target[] {
  const href = useHref();
  const types = useQuery(TYPE_NAMES, {}, { quiet: true });
  const id = typed.trim();
  const found = useQuery(ENTITY_OF_ID, { id }, { quiet: true, skip: id === '' || id.length > 200 });
  const entity = found.data?.entity;
  const all: Target[] = [
    ...(entity && entity.id === id
      ? [{ text: entity.id, kind: entity.entityType, href: href('entity', { id: entity.id }) }]
      : []),
    ...PAGES.map(({ view, title }) => ({ text: title, kind: 'page', href: href(view) })),
    { text: 'Ask for an artifact', kind: 'action', href: href('ask') },
    ...(types.data?.schemas ?? []).flatMap(({ name }) => [
      { text: name, kind: 'entities', href: href('entities', { type: name }) },
      { text: name, kind: 'type', href: href('types', { name }) },
    ]),
  ];
  const words = id.toLowerCase();
  const named = all.filter(({ text }) => text.toLowerCase().includes(words));
  const searches = (types.data?.schemas ?? []).map(({ name }) => ({
    text: `${id} in ${name}`,
    kind: 'search',
    href: href('entities', { type: name, q: id }),
  }));
  return [...named, ...(id === '' ? [] : searches)].slice(0, MOST);
}

function Finder({ onDone }: { readonly onDone: () => void }): ReactNode {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const { go } = useAddress();
  const list = useId();
  const targets = useTargets(typed);
  const active = Math.min(chosen, targets.length - 1);
  const open = (target: Target | undefined): void => {
    if (target === undefined) return;
    onDone();
    go(target.href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setChosen((active + step + targets.length) % Math.max(1, targets.length));
    else if (event.key === 'Enter') open(targets[active]);
    else return;
    event.preventDefault();
  };
  return (
    <div className="palette stack">
      <input
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={targets[active] ? `${list}-${active}` : undefined}
        aria-label="Page, type, or id of an entity"
        placeholder="Page, type, or id of an entity"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} role="listbox" aria-label="Matches">
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
