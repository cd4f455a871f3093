// Serves the artifact component by itself: `cairn start artifact`.
import path from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { openForComponent } from '../../platform/database/open-for-component.ts';
import { FACES } from '../../rest-compat/faces.ts';
import { type RunningComponent, serveConfigured } from '../../rest-compat/serve-configured.ts';
import { askComponent } from './ask-component.ts';
import { createArtifactComponent } from './component.ts';
import { artifactPermissions } from './permissions.ts';

export async function startComponent({ config, log }: { config: Config; log: Logger }): Promise<RunningComponent> {
  const database = await openForComponent('artifact', config, log);
  const { url, timeoutMs } = config.components.metadata;
  const component = createArtifactComponent({ database, log, ask: askComponent(url, timeoutMs), settings: config.artifact, workDirectory: path.join(config.database.dataDir, 'artifact-runs') });
  await component.begin();
  return serveConfigured({ component, face: FACES.artifact, permissions: artifactPermissions, config, log, database, onClose: () => database.close() });
}
