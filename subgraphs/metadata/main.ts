// Serves the metadata component by itself: `cairn start metadata`.
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/load-config.ts';
import { openForComponent } from '../../platform/database/open-for-component.ts';
import { FACES } from '../../rest-compat/faces.ts';
import { type RunningComponent, serveConfigured } from '../../rest-compat/serve-configured.ts';
import { createMetadataComponent } from './component.ts';
import { metadataPermissions } from './permissions.ts';

export async function startComponent({ config, log }: { config: Config; log: Logger }): Promise<RunningComponent> {
  const database = await openForComponent('metadata', config, log);
  const component = await createMetadataComponent({ database, log, ...config.metadata });
  return serveConfigured({ component, face: FACES.metadata, permissions: metadataPermissions, config, log, database, onClose: () => database.close() });
}
