// Whether the files of the store are what they were: begun, left and found again, and gone on with on a later visit.
import type { ReactNode } from 'react';
import { requestOf } from '../../api/operation.ts';
import { useShownRequest } from '../../api/shown-requests.tsx';
import { InPresent } from '../../frame/in-present.tsx';
import { useSession } from '../../frame/session.tsx';
import {
  AT_ONCE,
  forgetVerification,
  isVerifiedElsewhere,
  stopVerification,
  useVerification,
  type Verification as Progress,
  VERIFY_STORE,
  verifyStore,
} from '../../parts/store-verification.ts';
import { Fault } from '../../parts/states.tsx';
import { numberText, plural } from '../../parts/text.ts';

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

function wordsFor({ checked, files, missing, damaged, isDone }: Progress): string {
  const found = `${missing.length} missing, ${damaged.length} damaged.`;
  return isDone
    ? `${plural(checked, 'file')} verified, ${found}`
    : `${numberText(checked)} of ${plural(files, 'file')} verified, ${found}`;
}

function Steps({ of, files }: { readonly of: Progress | undefined; readonly files: number }): ReactNode {
  const { actor } = useSession();
  const verification = useVerification();
  const begin = { actor, files, checked: 0, missing: [], damaged: [], after: null, isDone: false, at: 0 };
  if (verification.isRunning)
    return (
      <button type="button" className="button" onClick={stopVerification}>
        Stop
      </button>
    );
  if (isVerifiedElsewhere(verification)) return <span className="quiet">in another tab</span>;
  return (
    <div className="row">
      {of !== undefined && (
        <button type="button" className="button bare" onClick={forgetVerification}>
          Dismiss
        </button>
      )}
      {of?.isDone === false && of.after !== null && (
        <button type="button" className="button first" onClick={() => void verifyStore(of)}>
          Go on
        </button>
      )}
      <button type="button" className="button" onClick={() => void verifyStore(begin)}>
        Verify all files
      </button>
    </div>
  );
}

export function Verification({ files }: { readonly files: number }): ReactNode {
  const { actor } = useSession();
  const { verification, isRunning, error } = useVerification();
  const own = verification?.actor === actor ? verification : undefined;
  useShownRequest(requestOf(VERIFY_STORE, { after: own?.after ?? null, limit: AT_ONCE }));
  return (
    <section className="card stack" aria-labelledby="verification">
      <header>
        <h2 id="verification">Verification</h2>
        <InPresent>
          <Steps of={own} files={files} />
        </InPresent>
      </header>
      <p className="quiet">
        Reads every file and compares it with its hash. Nothing is changed. It goes on in this tab, whichever
        view you look at; after the tab was closed, it goes on after the last file that was read.
      </p>
      {own && (
        <>
          <progress
            aria-label="Files verified"
            max={Math.max(own.files, own.checked, 1)}
            value={own.checked}
          />
          <p role="status">{wordsFor(own)}</p>
          <Found of={own} />
        </>
      )}
      {error && !isRunning && <Fault error={error} />}
    </section>
  );
}
