// Reads the files of the store through, page by page, and says which are not what they were.
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../../api/api-error.ts';
import { ask } from '../../api/client.ts';
import { operation, requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import type { VerifyStoreMutation, VerifyStoreMutationVariables } from '../../generated/api.ts';
import { Fault } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';

const VERIFY_STORE = operation<VerifyStoreMutation, VerifyStoreMutationVariables>(/* GraphQL */ `
  mutation VerifyStore($after: ID, $limit: Int!) {
    verifyFiles(after: $after, limit: $limit) {
      checked
      missing
      damaged
      last
    }
  }
`);

/** Files of one request: each is read whole. */
const AT_ONCE = 50;

interface Progress {
  readonly checked: number;
  readonly missing: readonly string[];
  readonly damaged: readonly string[];
  readonly isDone: boolean;
}

const Found = ({ of }: { readonly of: Progress }): ReactNode => (
  <>
    {[...of.missing.map((hash) => [hash, 'missing']), ...of.damaged.map((hash) => [hash, 'damaged'])].map(
      ([hash, what]) => (
        <p key={hash} className="fault">
          <code>{hash}</code> is {what}.
        </p>
      ),
    )}
    {of.isDone && of.missing.length + of.damaged.length > 0 && (
      <p>Evict these files by their hash: the next request for their entities makes them again.</p>
    )}
  </>
);

export function Verification({ files }: { readonly files: number }): ReactNode {
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState<ApiError>();
  const running = useRef<AbortController | null>(null);
  const [isRunning, setRunning] = useState(false);
  useShownRequest(requestOf(VERIFY_STORE, { after: null, limit: AT_ONCE }));
  useEffect(() => () => running.current?.abort(), []);
  const verify = async (): Promise<void> => {
    const gone = new AbortController();
    running.current = gone;
    setRunning(true);
    setError(undefined);
    let now: Progress = { checked: 0, missing: [], damaged: [], isDone: false };
    setProgress(now);
    try {
      for (let after: string | null = null; !now.isDone;) {
        const { verifyFiles: page }: VerifyStoreMutation = await ask(
          VERIFY_STORE,
          { after, limit: AT_ONCE },
          gone.signal,
        );
        now = {
          checked: now.checked + page.checked,
          missing: [...now.missing, ...page.missing],
          damaged: [...now.damaged, ...page.damaged],
          isDone: page.last === null,
        };
        after = page.last;
        setProgress(now);
      }
    } catch (thrown) {
      if (!gone.signal.aborted) setError(asApiError(thrown));
    } finally {
      setRunning(false);
    }
  };
  return (
    <section className="card stack" aria-labelledby="verification">
      <header>
        <h2 id="verification">Verification</h2>
        {isRunning ? (
          <button type="button" className="button" onClick={() => running.current?.abort()}>
            Stop
          </button>
        ) : (
          <button type="button" className="button" onClick={() => void verify()}>
            Verify all files
          </button>
        )}
      </header>
      <p className="quiet">Reads every file and compares it with its hash. Nothing is changed.</p>
      {progress && (
        <>
          <progress
            aria-label="Files verified"
            max={Math.max(files, progress.checked, 1)}
            value={progress.checked}
          />
          <p role="status">
            {progress.isDone
              ? `${plural(progress.checked, 'file')} verified, ${progress.missing.length} missing, ${progress.damaged.length} damaged.`
              : `${numberText(progress.checked)} of ${plural(files, 'file')} verified.`}
          </p>
          <Found of={progress} />
        </>
      )}
      {error && <Fault error={error} />}
    </section>
  );
}
