// Creates the configured runner.
import type { Config } from '../../../platform/config/load-config.ts';
import { CwltoolRunner } from './cwltool-runner.ts';
import type { Egress } from './egress-proxy.ts';
import type { Runner } from './runner.ts';
import type { FetchOutput } from './wes-output-files.ts';
import { WesRunner } from './wes-runner.ts';

/**
 * @param fetchOutput fetches outputs that a remote service has put elsewhere
 * @param egress decides which addresses tools with a network may connect to
 */
export function createRunner(
  { runner, limits }: Pick<Config['artifact'], 'runner' | 'limits'>,
  fetchOutput: FetchOutput,
  egress: Egress,
): Runner {
  return runner.type === 'cwltool'
    ? new CwltoolRunner(runner, limits, egress)
    : new WesRunner(runner, limits, fetchOutput);
}
