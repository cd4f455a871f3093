// One entity: its fields, its past, what it is related to, its files, and why it exists.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { useQuery } from '../../api/use-api.ts';
import { WriteInPresent } from '../../frame/in-present.tsx';
import { Missing, Page, useTab } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Status } from '../../parts/status.tsx';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { Given } from '../../parts/value.tsx';
import { Availability } from './availability.tsx';
import { Compare } from './compare.tsx';
import { Edit } from './edit.tsx';
import { Fields } from './fields.tsx';
import { Files } from './files.tsx';
import { History } from './history.tsx';
import { Live } from './live.tsx';
import { MadeBy } from './made-by.tsx';
import { ENTITY, type Entity as EntityRead, type EntityType, TYPE_OF_ENTITY } from './read.ts';
import { Relationships } from './relationships.tsx';
import { Why } from '../why/why.tsx';
import { TimeSlider } from './time-slider.tsx';
import { UsedBy } from './used-by.tsx';

const TABS = [
  { key: 'fields', title: 'Fields' },
  { key: 'history', title: 'History' },
  { key: 'compare', title: 'Compare' },
  { key: 'relationships', title: 'Relationships' },
  { key: 'files', title: 'Files' },
  { key: 'made-by', title: 'Made by, used by' },
  { key: 'why', title: 'Why it exists' },
] as const;

interface ShownEntity {
  readonly entity: EntityRead;
  readonly type: EntityType | undefined;
  /** Whether it is that of another time, while what it was then is loading. */
  readonly isOfOther: boolean;
  readonly reload: () => void;
}

function Tabs({
  entity,
  type,
  tab,
}: Pick<ShownEntity, 'entity' | 'type'> & { readonly tab: string }): ReactNode {
  switch (tab) {
    case 'history':
      return <History key={entity.version} id={entity.id} type={type} />;
    case 'compare':
      return <Compare entity={entity} type={type} />;
    case 'relationships':
      return <Relationships id={entity.id} />;
    case 'files':
      return <Files id={entity.id} />;
    case 'made-by':
      return (
        <div className="stack">
          <MadeBy id={entity.id} />
          <UsedBy id={entity.id} />
        </div>
      );
    case 'why':
      return <Why subject={`entity:${entity.id}`} />;
    default:
      return <Fields entity={entity} type={type} />;
  }
}

function Actions({
  entity,
  isEditing,
  onEdit,
  reload,
}: Pick<ShownEntity, 'entity' | 'reload'> & { isEditing: boolean; onEdit: () => void }): ReactNode {
  const { at } = useAddress();
  const { is } = useSession();
  return (
    <>
      <Link to="lineage" params={{ id: entity.id }} className="button">
        <Icon name="lineage" />
        Lineage
      </Link>
      {at === undefined && is('project_lead') && <Availability entity={entity} onDone={reload} />}
      {at === undefined && is('analyst') && !isEditing && (
        <button type="button" className="button first" onClick={onEdit}>
          <Icon name="edit" />
          Edit
        </button>
      )}
    </>
  );
}

function One({ entity, type, isOfOther, reload }: ShownEntity): ReactNode {
  const [tab, bar] = useTab(TABS);
  const { at, params, set } = useAddress();
  const { is } = useSession();
  const isEditing = params.get('edit') === '1' && at === undefined && is('analyst');
  const end = (): void => {
    set({ edit: undefined }, { replace: true });
    reload();
  };
  return (
    <Page
      crumb={
        <Link to="entities" params={{ type: entity.entityType }}>
          <Given text={entity.entityType} />
        </Link>
      }
      title={<Given text={entity.id} />}
      about={entity.isAvailable || isOfOther ? undefined : <Status of="unavailable" />}
      actions={
        !isOfOther && (
          <Actions
            entity={entity}
            reload={reload}
            isEditing={isEditing}
            onEdit={() => {
              set({ edit: '1' });
            }}
          />
        )
      }
    >
      {at === undefined && !isOfOther && (
        <Live id={entity.id} version={entity.version} isEditing={isEditing} reload={reload} />
      )}
      {isEditing && !isOfOther && type && <Edit type={type} entity={entity} onDone={end} onStale={reload} />}
      {!isEditing && (
        <>
          <TimeSlider id={entity.id} version={entity.version} />
          {bar}
          {isOfOther ? <Loading what="what it was" /> : <Tabs entity={entity} type={type} tab={tab} />}
        </>
      )}
    </Page>
  );
}

function Known({ id }: { readonly id: string }): ReactNode {
  const { at = null } = useAddress();
  const answer = useQuery(ENTITY, { id, at });
  // its name and its versions stay, so that one can move on along them
  const { ofOther, error } = answer;
  const kept = error === undefined && ofOther?.entity ? ofOther : undefined;
  const data = answer.data ?? kept;
  const name = data?.entity?.entityType ?? '';
  const type = useQuery(TYPE_OF_ENTITY, { name }, { skip: name === '' });
  return (
    <Shown answer={{ ...answer, data }} what="the entity">
      {({ entity }) =>
        entity === null ? (
          <Page title={<Given text={id} />}>
            <Empty title={at === null ? 'There is no entity with this id' : 'It did not exist then'}>
              <p>Or it belongs to a project that you are not a member of.</p>
            </Empty>
          </Page>
        ) : (
          <One
            entity={entity}
            type={type.data?.schema ?? undefined}
            isOfOther={answer.data === undefined}
            reload={answer.reload}
          />
        )
      }
    </Shown>
  );
}

/** For an address that somebody else has sent. */
const MayNot = (): ReactNode => (
  <Page title="New entity">
    <Empty title="You may look, not write">
      <p>Creating entities needs the role analyst. An administrator gives roles.</p>
    </Empty>
  </Page>
);

function New({ name }: { readonly name: string }): ReactNode {
  const answer = useQuery(TYPE_OF_ENTITY, { name });
  return (
    <Shown answer={answer} what="the type">
      {({ schema }) => (
        <Page
          crumb={
            <Link to="entities" params={{ type: name }}>
              <Given text={name} />
            </Link>
          }
          title={`New ${name}`}
        >
          {schema === null ? (
            <Empty title={`There is no type ${name}`} />
          ) : (
            <WriteInPresent what="A new entity">
              <Edit
                type={schema}
                onDone={() => {
                  history.back();
                }}
              />
            </WriteInPresent>
          )}
        </Page>
      )}
    </Shown>
  );
}

export default function Entity(): ReactNode {
  const { params } = useAddress();
  const { is } = useSession();
  const id = params.get('id');
  const fresh = params.get('new');
  if (id !== null) return <Known key={id} id={id} />;
  if (fresh !== null) return is('analyst') ? <New name={fresh} /> : <MayNot />;
  return (
    <Missing title="Entity">
      <p>
        Choose one among the <Link to="entities">entities</Link>, or press Ctrl-K and type its id.
      </p>
    </Missing>
  );
}
