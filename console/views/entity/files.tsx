// The stored files of an entity: download, and what can be shown of them.
import type { ReactNode } from 'react';
import { Link, useAddress } from '../../address/address.tsx';
import { operation } from '../../api/operation.ts';
import { urlOf } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import { OfNow } from '../../frame/in-present.tsx';
import type { FilesQuery, FilesQueryVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Shown } from '../../parts/states.tsx';
import { sizeText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';
import { whyOf } from '../why/chain.ts';
import { StillMade } from '../why/still-made.tsx';
import { AskAgain } from '../../parts/ask-again.tsx';
import { kindOf, Preview } from './preview.tsx';

const FILES = operation<FilesQuery, FilesQueryVariables>(/* GraphQL */ `
  query Files($id: ID!) {
    entity(id: $id) {
      producedBy {
        entityType
        criteria
        parameters
        rule
      }
      artifacts {
        hash
        name
        field
        size
        mediaType
        evictedAt
        url
      }
    }
  }
`);
type Asked = NonNullable<FilesQuery['entity']>['producedBy'];
type StoredFile = NonNullable<FilesQuery['entity']>['artifacts'][number];

/** The path below the server that this console belongs to, whatever address is published. */
const pathOf = ({ url }: StoredFile): string => {
  const { pathname } = new URL(url);
  return pathname.slice(Math.max(0, pathname.indexOf('/api/v1/')) + 1);
};

function File({ file, asked }: { readonly file: StoredFile; readonly asked: Asked }): ReactNode {
  const { params, set } = useAddress();
  const opened = params.getAll('file');
  const shows = opened.includes(file.hash);
  const title = file.name ?? file.field ?? file.hash;
  const kind = kindOf(file);
  return (
    <li className="card">
      <div className="row apart">
        <span>
          <strong>
            <Given text={title} />
          </strong>{' '}
          <span className="quiet small">
            {sizeText(file.size)}
            {file.mediaType === null ? '' : `, ${file.mediaType}`}
            {file.field === null ? '' : `, field ${file.field}`}
          </span>
        </span>
        {file.evictedAt === null ? (
          <span className="row">
            {kind !== undefined && (
              <button
                type="button"
                className="button"
                aria-expanded={shows}
                onClick={() => {
                  const others = opened.filter((hash) => hash !== file.hash);
                  const pages = params.getAll('pdf').filter((entry) => !entry.startsWith(`${file.hash}/`));
                  set({ file: shows ? others : [...others, file.hash], pdf: pages }, { replace: true });
                }}
              >
                {shows ? 'Hide' : 'Show'}
                <span className="visually-hidden"> {title}</span>
              </button>
            )}
            <Link className="button" {...whyOf(`file:${file.hash}`)}>
              Why
              <span className="visually-hidden"> {title} exists</span>
            </Link>
            <a className="button" href={urlOf(pathOf(file))} download>
              <Icon name="download" /> Download
              <span className="visually-hidden"> {title}</span>
            </a>
          </span>
        ) : (
          <span className="row">
            <span className="tag warn">evicted</span>
            {asked !== null && <AskAgain of={asked} />}
          </span>
        )}
      </div>
      <p className="quiet small mono">{file.hash}</p>
      {shows && kind && <Preview kind={kind} file={file} path={pathOf(file)} />}
    </li>
  );
}

export function Files({ id }: { readonly id: string }): ReactNode {
  const answer = useQuery(FILES, { id });
  return (
    <Shown answer={answer} what="the files">
      {({ entity }) => {
        const files = entity?.artifacts ?? [];
        if (files.length === 0)
          return (
            <Empty title="No stored file belongs to it">
              <p>Productions store the files that they make; the fields of an entity refer to them.</p>
            </Empty>
          );
        return (
          <>
            <StillMade subject={`entity:${id}`} />
            <OfNow what="These files are" />
            <ul className="stack">
              {files.map((file) => (
                <File key={`${file.hash} ${file.field}`} file={file} asked={entity?.producedBy ?? null} />
              ))}
            </ul>
          </>
        );
      }}
    </Shown>
  );
}
