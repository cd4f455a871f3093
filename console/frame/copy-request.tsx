// Shows the requests of the current view as something to run elsewhere.
import type { ReactNode } from 'react';
import { useShownRequests } from '../api/shown-requests.tsx';
import { Icon } from '../parts/icons.tsx';
import { Dialog } from '../parts/overlays.tsx';
import { Requests } from '../parts/requests.tsx';
import { Empty } from '../parts/states.tsx';
import { useFrameDialog } from './frame-dialogs.tsx';

export function CopyRequest(): ReactNode {
  const requests = useShownRequests();
  const { isOpen, open, close } = useFrameDialog('requests');
  return (
    <>
      <button type="button" className="button bare" onClick={open}>
        <Icon name="copy" />
        <span className="label">Copy request</span>
        <span className="visually-hidden"> of this view</span>
      </button>
      <Dialog title="Requests of this view" isOpen={isOpen} isWide onClose={close}>
        {requests.length === 0 ? (
          <Empty title="This view asks for nothing" />
        ) : (
          <Requests requests={requests} />
        )}
      </Dialog>
    </>
  );
}
