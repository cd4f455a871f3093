// All types, as cards or as a picture of how they refer to one another; or one of them.
import { lazy, type ReactNode, Suspense } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { COMMAND } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { Page, useTab } from '../../frame/page.tsx';
import type { TypesQuery } from '../../generated/api.ts';
import { ownLast } from '../../parts/type-infos.ts';
import { Empty, Loading, Shown } from '../../parts/states.tsx';
import { plural } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { TypeDetails } from './type-details.tsx';

const TYPES = operation<TypesQuery>(/* GraphQL */ `
  query Types {
    schemas {
      name
      version
      description
      parent
      fields {
        name
        type
        many
        required
        unique
        references
      }
      allFields {
        name
        references
      }
    }
  }
`);

type TypeEntry = TypesQuery['schemas'][number];

function Card({ type }: { readonly type: TypeEntry }): ReactNode {
  const targets = [...new Set(type.allFields.flatMap(({ references }) => references ?? []))];
  return (
    <Link to="types" params={{ name: type.name }} className="card">
      <div className="row apart">
        <h2>
          <Given text={type.name} />
        </h2>
        <span className="tag plain">{type.version}</span>
      </div>
      <p className="quiet small">
        <Given text={type.description ?? 'No description.'} most={200} />
      </p>
      <p className="small">
        {plural(type.allFields.length, 'field')}
        {targets.length > 0 && <>, refers to {targets.join(', ')}</>}
        {type.parent !== null && <>, a kind of {type.parent}</>}
      </p>
    </Link>
  );
}

const TABS = [
  { key: 'cards', title: 'Cards' },
  { key: 'diagram', title: 'Diagram' },
] as const;

/** With its layout, a file of its own. */
const Diagram = lazy(() => import('./diagram.tsx'));

function All(): ReactNode {
  const { at } = useAddress();
  const answer = useQuery(TYPES, {}, { at });
  const [tab, bar] = useTab(TABS);
  return (
    <Page
      title="Types"
      about="Each type has a schema: which fields its entities have, and which rules they meet."
    >
      <Shown answer={answer} what="the types">
        {({ schemas }) =>
          schemas.length === 0 ? (
            <Empty title={at === undefined ? 'There is no type yet' : 'There was no type yet'}>
              <p>An administrator registers types, by a file or by the API.</p>
              <pre className="code">{COMMAND} schemas --help</pre>
            </Empty>
          ) : (
            <>
              {bar}
              {tab === 'diagram' ? (
                <Suspense fallback={<Loading what="the diagram" />}>
                  <Diagram types={schemas} />
                </Suspense>
              ) : (
                <div className="cards">
                  {ownLast(schemas).map((type) => (
                    <Card key={type.name} type={type} />
                  ))}
                </div>
              )}
            </>
          )
        }
      </Shown>
    </Page>
  );
}

export default function Types(): ReactNode {
  const { params } = useAddress();
  const name = params.get('name');
  return name === null ? <All /> : <TypeDetails key={name} name={name} />;
}
