// Dialogs and menus of the component library, in this console's look.
import { type ReactNode, useCallback, useState } from 'react';
import {
  Button,
  Dialog as AriaDialog,
  Heading,
  Menu as AriaMenu,
  MenuItem,
  MenuTrigger,
  Modal,
  ModalOverlay,
  Popover,
} from 'react-aria-components';
import { ShownRequest, ShownRequests, useShownRequests } from '../api/shown-requests.tsx';
import type { Action } from '../api/use-api.ts';
import { Icon, type IconName } from './icons.tsx';
import { Requests } from './requests.tsx';
import { Fault } from './states.tsx';

export interface Opening {
  readonly isOpen: boolean;
  readonly open: () => void;
  readonly close: () => void;
}

/** Whether a dialog is open. */
export function useOpen(): Opening {
  const [isOpen, setOpen] = useState(false);
  const open = useCallback(() => {
    setOpen(true);
  }, []);
  const close = useCallback(() => {
    setOpen(false);
  }, []);
  return { isOpen, open, close };
}

/** What the dialog asks and would do, as requests: the view's own button is behind the veil. */
function DialogRequests(): ReactNode {
  const requests = useShownRequests();
  const [isShown, setShown] = useState(false);
  if (requests.length === 0) return null;
  return (
    <div className="stack requests">
      <div>
        <button
          type="button"
          className="button bare"
          aria-expanded={isShown}
          onClick={() => {
            setShown(!isShown);
          }}
        >
          <Icon name="copy" /> Copy request
        </button>
      </div>
      {isShown && <Requests requests={requests} />}
    </div>
  );
}

interface DialogProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}

export const Dialog = ({ title, isOpen, onClose, isWide = false, children }: DialogProps): ReactNode => (
  <ModalOverlay
    className="veil"
    isOpen={isOpen}
    isDismissable
    onOpenChange={(open) => {
      if (!open) onClose();
    }}
  >
    <Modal className={`dialog${isWide ? ' wide' : ''}`}>
      <AriaDialog>
        <div className="row apart">
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <Button className="button bare" onPress={onClose} aria-label="Close">
            <Icon name="close" />
          </Button>
        </div>
        <ShownRequests>
          {children}
          <DialogRequests />
        </ShownRequests>
      </AriaDialog>
    </Modal>
  </ModalOverlay>
);

export interface MenuChoice {
  readonly key: string;
  readonly text: ReactNode;
  /** A link: opened by the browser, for downloads and pages beside the console. */
  readonly href?: string;
  readonly isDownload?: boolean;
  readonly onChoose?: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly icon?: IconName;
  /** Shows only the icon; the label is what others hear. */
  readonly isIconOnly?: boolean;
  readonly choices: readonly MenuChoice[];
}

export const Menu = ({ label, icon, isIconOnly = false, choices }: MenuProps): ReactNode => (
  <MenuTrigger>
    <Button className={`button${isIconOnly ? ' bare' : ''}`} {...(isIconOnly ? { 'aria-label': label } : {})}>
      {icon && <Icon name={icon} />}
      {!isIconOnly && label}
      {!isIconOnly && <Icon name="down" />}
    </Button>
    <Popover className="popover">
      <AriaMenu aria-label={label}>
        {choices.map(({ key, text, href, isDownload, onChoose }) => (
          <MenuItem
            key={key}
            id={key}
            {...(typeof text === 'string' ? { textValue: text } : {})}
            {...(href === undefined ? {} : { href })}
            {...(isDownload === true ? { download: '' } : {})}
            {...(onChoose === undefined ? {} : { onAction: onChoose })}
          >
            {text}
          </MenuItem>
        ))}
      </AriaMenu>
    </Popover>
  </MenuTrigger>
);

/** Asks before something that cannot be taken back; a fault stays in the dialog. */
export function Confirm<Data>({
  title,
  isOpen,
  action,
  of: { run, isRunning, error, request },
  onDone,
  onClose,
  children,
}: Omit<DialogProps, 'isWide'> & {
  /** What the button says. */
  readonly action: string;
  readonly of: Action<Data>;
  /** Called where it succeeded. */
  readonly onDone: (done: Data) => void;
}): ReactNode {
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <ShownRequest request={request} />
      {children}
      {error && <Fault error={error} />}
      <footer>
        <button type="button" className="button" onClick={onClose}>
          Keep it
        </button>
        <button
          type="button"
          className="button danger"
          disabled={isRunning}
          onClick={() => {
            void run().then((done) => {
              if (done !== undefined) onDone(done);
            });
          }}
        >
          {action}
        </button>
      </footer>
    </Dialog>
  );
}
