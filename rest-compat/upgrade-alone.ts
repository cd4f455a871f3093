// Requests for an upgrade to a component that is served on its own: of its router, for frames of operations; any other
// is answered as if it asked for none.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CheckHost } from '../platform/allowed-hosts.ts';
import { badRequest } from '../platform/errors.ts';
import type { RequestListener } from '../platform/http-server.ts';
import type { AcceptFrames, TakeOver } from '../platform/operation-frames/accept-frames.ts';
import { hasBody } from '../platform/read-body.ts';
import { responseOn } from '../platform/response-on.ts';

export type UpgradeAlone = (req: IncomingMessage, socket: Duplex, head: Buffer, takeOver: TakeOver) => void;

export const upgradingAlone =
  ({
    frames,
    ordinary,
    checkHost,
    refuse,
  }: {
    readonly frames: AcceptFrames;
    readonly ordinary: RequestListener;
    readonly checkHost: CheckHost | undefined;
    readonly refuse: (res: ServerResponse, thrown: unknown) => Promise<void>;
  }): UpgradeAlone =>
  (req, socket, head, takeOver) => {
    socket.on('error', () => {
      socket.destroy();
    }); // nobody else listens any more
    const res = responseOn(req, socket);
    if (hasBody(req)) return void refuse(res, badRequest('this protocol upgrade is not supported'));
    if (req.url !== '/graphql' || !frames.takes(req)) return ordinary(req, res);
    const accepted = async (): Promise<void> => {
      checkHost?.(req);
      await frames.accept(req, socket, head, (...taken) => {
        res.detachSocket(socket as Socket); // see responseOn
        return takeOver(...taken);
      });
    };
    accepted().catch((thrown: unknown) => refuse(res, thrown));
  };
