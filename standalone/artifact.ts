// Serves the artifact component on its own: `cairn start artifact`.
import path from 'node:path';
import type { Logger } from 'pino';
import { askComponent } from '../platform/ask-component.ts';
import type { Config } from '../platform/config/load-config.ts';
import { closeStore, openComponentStore } from '../platform/component-database/open-for-component.ts';
import { publicUrlAlone } from '../platform/public-url.ts';
import { createIdentitySigner } from '../platform/signed-identity/identity-signer.ts';
import { REST_API_KINDS } from '../rest-compat/rest-apis.ts';
import { type RunningComponent, serveConfigured } from '../rest-compat/serve-configured.ts';
import { standingWhereKnown } from '../router/standing-rights/standing-rights.ts';
import { createArtifactComponent } from '../subgraphs/artifact/component.ts';
import { artifactPermissions } from '../subgraphs/artifact/nouns.ts';
import { askNobody } from '../subgraphs/artifact/platform-port.ts';

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
      const { database, keys } = await openComponentStore('artifact', current, log, signal);
      try {
        const { url, timeoutMs } = current.components.metadata;
        const sign = createIdentitySigner({ keys, issuer: () => current.auth.issuer ?? 'cairn' });
        const component = createArtifactComponent({
          database,
          log,
          standing: standingWhereKnown(database.pool),
          ask: url === undefined ? askNobody : askComponent(url, timeoutMs, sign),
          settings: current.artifact,
          publicUrl: publicUrlAlone(current),
          workDirectory: path.join(current.database.dataDir, 'artifact-runs'),
        });
        await component.begin();
        return {
          component,
          restApi: REST_API_KINDS.artifact,
          permissions: artifactPermissions,
          database,
          keys,
          onClose: () => closeStore({ database, keys }),
        };
      } catch (error) {
        await closeStore({ database, keys });
        throw error;
      }
    },
    config,
    log,
  );
