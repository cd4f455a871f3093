// The stored files of an entity: download, and the beginning of those that are text.
import { type ReactNode, useEffect, useState } from 'react';
import { ApiError, asApiError } from '../../api/api-error.ts';
import { readText } from '../../api/client.ts';
import { operation } from '../../api/operation.ts';
import { urlOf } from '../../api/place.ts';
import { useQuery } from '../../api/use-api.ts';
import type { FilesQuery, FilesQueryVariables } from '../../generated/api.ts';
import { Icon } from '../../parts/icons.tsx';
import { Empty, Fault, Loading, Shown } from '../../parts/states.tsx';
import { sizeText } from '../../parts/text.ts';
import { Given } from '../../parts/value.tsx';

const FILES = operation<FilesQuery, FilesQueryVariables>(/* GraphQL */ `
  query Files($id: ID!) {
    entity(id: $id) {
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
type StoredFile = NonNullable<FilesQuery['entity']>['artifacts'][number];

/** The path below the server that this console belongs to, whatever address is published. */
const pathOf = ({ url }: StoredFile): string => {
  const { pathname } = new URL(url);
  return pathname.slice(Math.max(0, pathname.indexOf('/api/v1/')) + 1);
};

const TEXTS = /\.(?:txt|csv|tsv|json|ndjson|ya?ml|md|vcf|fastq|fasta|fa|log|cwl|bed|gff3?|stats|html?|xml)$/i;

const isText = ({ mediaType, name }: StoredFile): boolean =>
  (mediaType ?? '').startsWith('text/') || mediaType === 'application/json' || TEXTS.test(name ?? '');

/** Bytes of a file that are shown. */
const PREVIEW = 16_384;

function Preview({ file }: { readonly file: StoredFile }): ReactNode {
  const [state, setState] = useState<string | ApiError>();
  const path = pathOf(file);
  useEffect(() => {
    const gone = new AbortController();
    readText(path, PREVIEW, gone.signal).then(setState, (thrown: unknown) => {
      if (!gone.signal.aborted) setState(asApiError(thrown));
    });
    return () => {
      gone.abort();
    };
  }, [path]);
  if (state === undefined) return <Loading what="the file" />;
  if (state instanceof ApiError) return <Fault error={state} />;
  return (
    <>
      <pre className="code" tabIndex={0}>
        {state}
      </pre>
      {file.size > PREVIEW && (
        <p className="quiet small">
          The first {sizeText(PREVIEW)} of {sizeText(file.size)}.
        </p>
      )}
    </>
  );
}

function File({ file }: { readonly file: StoredFile }): ReactNode {
  const [shows, setShows] = useState(false);
  const title = file.name ?? file.field ?? file.hash;
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
            {isText(file) && (
              <button
                type="button"
                className="button"
                aria-expanded={shows}
                onClick={() => {
                  setShows(!shows);
                }}
              >
                {shows ? 'Hide' : 'Show'}
                <span className="visually-hidden"> {title}</span>
              </button>
            )}
            <a className="button" href={urlOf(pathOf(file))} download>
              <Icon name="download" /> Download
              <span className="visually-hidden"> {title}</span>
            </a>
          </span>
        ) : (
          <span className="tag warn">evicted: ask for it again, and it is made again</span>
        )}
      </div>
      <p className="quiet small mono">{file.hash}</p>
      {shows && <Preview file={file} />}
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
          <ul className="stack">
            {files.map((file) => (
              <File key={`${file.hash} ${file.field}`} file={file} />
            ))}
          </ul>
        );
      }}
    </Shown>
  );
}
