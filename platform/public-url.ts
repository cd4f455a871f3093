// The public address as a component in a process of its own knows it.
import { addressOf } from './address-of.ts';
import type { Config } from './config/load-config.ts';

/** Where callers reach the platform: the gateway, whose address is only known here if it is configured. */
export const publicUrlAlone =
  ({ server, auth }: Config) =>
  (): string =>
    server.publicUrl ?? auth.issuer ?? addressOf(server.host, server.port);
