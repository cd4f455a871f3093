// The public address as a component in a process of its own knows it.
import { httpAddress } from './address-of.ts';
import type { Config } from './config/load-config.ts';

/** Where callers reach the platform: the gateway, whose address is only known here if it is configured. */
export const publicUrlAlone =
  ({ server, auth }: Config) =>
  (): string =>
    server.publicUrl ?? auth.issuer ?? httpAddress(server.host, server.port, server.tls && 'https');
