// The dependencies of rule registration, from the configuration.
import { fetchCwl } from '../cwl-source/fetch-cwl.ts';
import { addressCheck } from '../cwl-source/public-addresses.ts';
import type { ArtifactDeps } from '../noun.ts';
import type { RegistrationDeps } from './registration.service.ts';

export function registrationDeps({
  pool,
  ask,
  settings,
}: Pick<ArtifactDeps, 'pool' | 'ask' | 'settings'>): RegistrationDeps {
  const mayConnect = addressCheck(settings.allowNetworks, settings.denyNetworks);
  return { pool, ask, allowance: settings, fetch: (url) => fetchCwl(url, { mayConnect }) };
}
