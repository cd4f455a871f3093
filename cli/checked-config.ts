// Loads the configuration for commands that use it. Faults become the command's failure, one per line.
import { type ConfigFault, ConfigurationError } from '../platform/config/faults.ts';
import { type Config, loadConfig } from '../platform/config/load-config.ts';
import { Failure } from './failure.ts';
import { assertInstallation, type Session } from './session.ts';
import { metadataChecks } from '../subgraphs/metadata/validation/validator-checks.ts';
import { workflowChecks } from '../subgraphs/workflow/workflow-checks.ts';
import { configOptions } from './target.ts';

/**
 * @param onFaults called before the Failure is thrown
 * @throws Failure with every fault
 */
export function checkedConfig(
  session: Session,
  file: string | undefined,
  onFaults?: (faults: readonly ConfigFault[]) => void,
): Config {
  try {
    return loadConfig({ ...configOptions(session, file), checks: [...metadataChecks, ...workflowChecks] });
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    onFaults?.(error.faults);
    throw new Failure(error.message, { faults: error.faults }, { cause: error });
  }
}

/**
 * For commands that work on the server itself: where there is none, they say so before they look for its configuration.
 * @throws Failure as checkedConfig, or for the missing server
 */
export function serverConfig(session: Session, file: string | undefined): Config {
  assertInstallation();
  return checkedConfig(session, file);
}
