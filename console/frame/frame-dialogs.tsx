// Which dialog of the frame is open: a button of the frame opens it, and so does the palette.
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import type { Opening } from '../parts/overlays.tsx';

type FrameDialog = 'project' | 'time' | 'requests';

interface Open {
  readonly now: FrameDialog | undefined;
  readonly show: (dialog: FrameDialog | undefined) => void;
}

const Context = createContext<Open>({ now: undefined, show: () => undefined });

export function FrameDialogs({ children }: { readonly children: ReactNode }): ReactNode {
  const [now, show] = useState<FrameDialog>();
  const open = useMemo(() => ({ now, show }), [now]);
  return <Context.Provider value={open}>{children}</Context.Provider>;
}

export function useFrameDialog(dialog: FrameDialog): Opening {
  const { now, show } = useContext(Context);
  return {
    isOpen: now === dialog,
    open: () => {
      show(dialog);
    },
    close: () => {
      show(undefined);
    },
  };
}
