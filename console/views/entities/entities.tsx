// The entities of a type as a table: filtered, searched, sorted, exported.
import type { ReactNode } from 'react';
import { COMMAND, IS_BUILT } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { Link, useAddress, useHref } from '../../address/address.tsx';
import { Page } from '../../frame/page.tsx';
import { useSession } from '../../frame/session.tsx';
import { LabelledSelect } from '../../parts/form.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { firstOf, ownLast, TYPE_INFOS, type TypeInfo } from '../../parts/type-infos.ts';
import { Given } from '../../parts/value.tsx';
import { useListing } from './listing.ts';
import { Results } from './results.tsx';
import { Toolbar } from './toolbar.tsx';

function TypeChoice({
  types,
  now,
}: {
  readonly types: readonly TypeInfo[];
  readonly now: string;
}): ReactNode {
  const { go } = useAddress();
  const href = useHref();
  return (
    <LabelledSelect
      id="type"
      label="Type"
      value={now}
      choices={types.map(({ name }) => name)}
      onChange={(name) => {
        go(href('entities', { type: name }));
      }}
    />
  );
}

function Listed({
  types,
  type,
}: {
  readonly types: readonly TypeInfo[];
  readonly type: TypeInfo;
}): ReactNode {
  const listing = useListing(type);
  const { at } = useAddress();
  const { is } = useSession();
  return (
    <Page
      title={<Given text={type.name} />}
      about={<Given text={type.description ?? 'This type has no description.'} />}
      actions={
        <>
          <TypeChoice types={types} now={type.name} />
          {is('analyst') && at === undefined && (
            <Link to="entity" params={{ new: type.name }} className="button first">
              <Icon name="plus" />
              New
            </Link>
          )}
        </>
      }
    >
      <Toolbar listing={listing} />
      <Results listing={listing} />
    </Page>
  );
}

export default function Entities(): ReactNode {
  const { params } = useAddress();
  const answer = useQuery(TYPE_INFOS, {});
  const asked = params.get('type');
  return (
    <Shown answer={answer} what="the types">
      {({ schemas }) => {
        const type = asked === null ? firstOf(schemas) : schemas.find(({ name }) => name === asked);
        if (type !== undefined) return <Listed key={type.name} types={ownLast(schemas)} type={type} />;
        return (
          <Page title="Entities">
            {asked === null ? (
              <Empty title="There is no type yet">
                <p>Entities need a type that says which fields they have.</p>
                <pre className="code">{IS_BUILT ? `${COMMAND} schemas --help` : 'npm run example'}</pre>
              </Empty>
            ) : (
              <Empty title={`There is no type ${asked}`}>
                <p>
                  <Link to="types">All types</Link>
                </p>
              </Empty>
            )}
          </Page>
        );
      }}
    </Shown>
  );
}
