// Serves the metadata component on its own: `cairn start metadata`.
import type { Logger } from 'pino';
import type { Config } from '../platform/config/load-config.ts';
import { closeStore, openComponentStore } from '../platform/component-database/open-for-component.ts';
import { DOCS } from '../platform/docs-page.ts';
import { publicUrlAlone } from '../platform/public-url.ts';
import { REST_API_KINDS } from '../rest-compat/rest-apis.ts';
import { type RunningComponent, serveConfigured } from '../rest-compat/serve-configured.ts';
import { createMetadataComponent } from '../subgraphs/metadata/component.ts';
import { metadataPermissions } from '../subgraphs/metadata/nouns.ts';

export const startComponent = ({
  config,
  log,
  signal,
}: {
  config: Config;
  log: Logger;
  signal?: AbortSignal;
}): Promise<RunningComponent> =>
  serveConfigured(
    async (current) => {
      const { database, keys } = await openComponentStore('metadata', current, log, signal);
      const component = await createMetadataComponent({
        database,
        log,
        docs: current.server.docs ? DOCS : null,
        publicUrl: publicUrlAlone(current),
        ...current.metadata,
      }).catch(async (error: unknown) => {
        await closeStore({ database, keys });
        throw error;
      });
      return {
        component,
        restApi: REST_API_KINDS.metadata,
        permissions: metadataPermissions,
        database,
        keys,
        onClose: () => closeStore({ database, keys }),
      };
    },
    config,
    log,
  );
