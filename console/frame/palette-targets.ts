// What the palette offers: places, and actions of who is signed in.
import { useAddress, useHref } from '../address/address.tsx';
import { operation } from '../api/operation.ts';
import { SIGN_IN, urlOf } from '../api/place.ts';
import { useQuery } from '../api/use-api.ts';
import type {
  EntityOfIdQuery,
  EntityOfIdQueryVariables,
  RuleNamesQuery,
  TriggerNamesQuery,
  TypeNamesQuery,
  WorkOfIdQuery,
  WorkOfIdQueryVariables,
} from '../generated/api.ts';
import { ownLast } from '../parts/type-infos.ts';
import { chooseScheme, useScheme } from './color-scheme.ts';
import { useFrameDialog } from './frame-dialogs.tsx';
import { PAGES } from './pages.ts';
import { useSession } from './session.tsx';

const TYPE_NAMES = operation<TypeNamesQuery>(/* GraphQL */ `
  query TypeNames {
    schemas {
      name
    }
  }
`);
const TRIGGER_NAMES = operation<TriggerNamesQuery>(/* GraphQL */ `
  query TriggerNames {
    triggers {
      name
      mayRun
    }
  }
`);
const RULE_NAMES = operation<RuleNamesQuery>(/* GraphQL */ `
  query RuleNames {
    rules(status: active, limit: 200) {
      rules {
        name
      }
    }
  }
`);
const WORK_OF_ID = operation<WorkOfIdQuery, WorkOfIdQueryVariables>(/* GraphQL */ `
  query WorkOfId($id: ID!) {
    run(runId: $id) {
      triggerName
      adapter
    }
    production(id: $id) {
      entityType
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

export interface Target {
  readonly text: string;
  readonly kind: string;
  /** Where it leads. */
  readonly href?: string;
  /** What it does. */
  readonly act?: () => void;
  /** The trigger that it would run. */
  readonly trigger?: string;
}

const MOST = 12;

const action = (text: string, act: () => void): Target => ({ text, kind: 'action', act });

/** What the frame's own buttons do. */
function useFrameActions(): readonly Target[] {
  const { at, project, set } = useAddress();
  const { end } = useSession();
  const scheme = useScheme();
  const [projects, time, requests] = [
    useFrameDialog('project'),
    useFrameDialog('time'),
    useFrameDialog('requests'),
  ];
  const other = scheme === 'dark' ? 'light' : 'dark';
  return [
    action('Choose the project …', projects.open),
    ...(project === undefined
      ? []
      : [
          action('Show all projects', () => {
            set({ project: undefined });
          }),
        ]),
    action('Choose the time …', time.open),
    ...(at === undefined
      ? []
      : [
          action('Back to the present', () => {
            set({ at: undefined });
          }),
        ]),
    action('Copy request …', requests.open),
    action(`Use the ${other} colours`, () => {
      chooseScheme(other);
    }),
    ...(SIGN_IN === 'sessions'
      ? [
          action('Connect a device …', () => {
            location.assign(urlOf('device'));
          }),
          action('Sign out', end),
        ]
      : []),
  ];
}

type NamedTrigger = TriggerNamesQuery['triggers'][number];

/** What makes and runs something, for those who may. */
function useMakers(types: readonly string[], triggers: readonly NamedTrigger[]): readonly Target[] {
  const href = useHref();
  const { at } = useAddress();
  const { is } = useSession();
  if (!is('analyst') || at !== undefined) return [];
  return [
    { text: 'New API key', kind: 'action', href: href('admin', { tab: 'keys', new: '1' }) },
    ...types.map((name) => ({ text: `New ${name}`, kind: 'action', href: href('entity', { new: name }) })),
    ...triggers
      .filter(({ mayRun }) => mayRun)
      .map(({ name }) => ({ text: `Run ${name}`, kind: 'action', trigger: name })),
  ];
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What has exactly this id. */
function useOfId(id: string): readonly Target[] {
  const href = useHref();
  const { at } = useAddress();
  const found = useQuery(ENTITY_OF_ID, { id }, { quiet: true, skip: id === '' || id.length > 200, at });
  const work = useQuery(WORK_OF_ID, { id }, { quiet: true, skip: !UUID.test(id), at });
  const entity = found.data?.entity;
  // answers of an earlier id stay while others are waited for
  const { run = null, production = null } = work.isLoading || !UUID.test(id) ? {} : (work.data ?? {});
  return [
    ...(entity && entity.id === id
      ? [{ text: entity.id, kind: entity.entityType, href: href('entity', { id }) }]
      : []),
    ...(run === null
      ? []
      : [{ text: `Run of ${run.triggerName ?? run.adapter ?? id}`, kind: 'run', href: href('run', { id }) }]),
    ...(production === null
      ? []
      : [
          {
            text: `Production of ${production.entityType}`,
            kind: 'production',
            href: href('production', { id }),
          },
        ]),
  ];
}

/** Rules and triggers, by name. */
function useNamed(): { readonly rules: readonly string[]; readonly triggers: readonly NamedTrigger[] } {
  const { at } = useAddress();
  const rules = useQuery(RULE_NAMES, {}, { quiet: true, at });
  const triggers = useQuery(TRIGGER_NAMES, {}, { quiet: true, at });
  return {
    rules: [...new Set((rules.data?.rules.rules ?? []).map(({ name }) => name))],
    triggers: triggers.data?.triggers ?? [],
  };
}

export function useTargets(typed: string): readonly Target[] {
  const href = useHref();
  const schemas = useQuery(TYPE_NAMES, {}, { quiet: true });
  const types = ownLast(schemas.data?.schemas ?? []).map(({ name }) => name);
  const id = typed.trim();
  const ofId = useOfId(id);
  const { rules, triggers } = useNamed();
  const makers = useMakers(types, triggers);
  const ofFrame = useFrameActions();
  const { is } = useSession();
  const { at } = useAddress();
  const pages = PAGES.map(({ view, title }) => ({ text: title, kind: 'page', href: href(view) }));
  const ask = {
    text: is('analyst') && at === undefined ? 'Ask for an artifact' : 'See how an artifact is made',
    kind: 'action',
    href: href('ask'),
  };
  const refresh = { text: 'Stale results', kind: 'page', href: href('refresh') };
  if (id === '') return [...pages, ask, ...ofFrame];
  const words = id.toLowerCase();
  const begins = ({ text }: Target): boolean => text.toLowerCase().startsWith(words);
  const named: Target[] = [
    ...pages,
    ...types.flatMap((name) => [
      { text: name, kind: 'entities', href: href('entities', { type: name }) },
      { text: name, kind: 'type', href: href('types', { name }) },
    ]),
    ask,
    refresh,
    ...ofFrame,
    ...makers,
    ...triggers.map(({ name }) => ({ text: name, kind: 'trigger', href: href('trigger', { name }) })),
    ...rules.map((name) => ({ text: name, kind: 'rule', href: href('rule', { name }) })),
  ]
    .filter(({ text }) => text.toLowerCase().includes(words))
    .sort((a, b) => Number(begins(b)) - Number(begins(a)));
  const searches = types.map((name) => ({
    text: `${id} in ${name}`,
    kind: 'search',
    href: href('entities', { type: name, q: id }),
  }));
  return [...ofId, ...named, ...searches].slice(0, MOST);
}
