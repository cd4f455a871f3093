// Registers the rules of packages at start, and retries those whose entity types or metadata are not
// available yet.
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../../../platform/config/load-config.ts';
import { DomainError } from '../../../platform/errors.ts';
import type { JsonValue } from '../../../platform/json.ts';
import type { Caller } from '../../../platform/identity.ts';
import type { RuleDefinition } from '../rules/rule-definition.ts';
import type { RegistrationService } from './registration.service.ts';

type PackagedRule = Config['artifact']['rules'][number];

const RETRY_MS = 5000;

/** Maps the packages' field names to those of registration. */
const definitionOf = ({
  name,
  produces,
  requires,
  execute,
  description,
  tags,
  scope,
  reuse,
}: PackagedRule): RuleDefinition => ({
  name,
  scope,
  requires,
  tags: [...tags],
  ...(description === undefined ? {} : { description }),
  ...(reuse === undefined ? {} : { reuse }),
  produces: produces.map(({ entityType, fromOutput, arrayMode, match }) => ({
    entity_type: entityType,
    match: match as Readonly<Record<string, JsonValue>>, // Read from YAML: JSON values.
    ...(fromOutput === undefined ? {} : { from_output: fromOutput }),
    ...(arrayMode === undefined ? {} : { array_mode: arrayMode }),
  })),
  execute: {
    ...(execute.cwlUrl === undefined ? {} : { cwl_url: execute.cwlUrl }),
    ...(execute.cwlContent === undefined ? {} : { cwl_content: execute.cwlContent }),
    ...(execute.cwlHash === undefined ? {} : { cwl_hash: execute.cwlHash }),
  },
});

export interface StaticRules {
  /** Tries every rule once; failures are logged and retried until they succeed. Never rejects. */
  begin(): Promise<void>;
  close(): void;
}

export function createStaticRules(
  rules: readonly PackagedRule[],
  serviceOf: (caller: Caller) => RegistrationService,
  log: Logger,
): StaticRules {
  let waiting = rules;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const told = new Map<string, string>();

  const attempt = async (rule: PackagedRule): Promise<boolean> => {
    const caller: Caller = {
      actor: 'service:artifact',
      roles: ['service'],
      projects: '*',
      requestId: randomUUID(),
    };
    try {
      if (await serviceOf(caller).registerStatic(definitionOf(rule)))
        log.info({ rule: rule.name, package: rule.package }, 'a rule of a package was registered');
      return true;
    } catch (fault) {
      const reason = fault instanceof Error ? fault.message : String(fault);
      const details = fault instanceof DomainError ? fault.details : { err: fault };
      if (told.get(rule.name) !== reason)
        log.error(
          { rule: rule.name, package: rule.package, reason, ...details },
          'a rule of a package cannot be registered; trying again',
        );
      told.set(rule.name, reason);
      return false;
    }
  };

  const round = async (): Promise<void> => {
    const done = await Promise.all(waiting.map(attempt));
    waiting = waiting.filter((_, i) => done[i] !== true);
    if (waiting.length > 0 && !isClosed) timer = setTimeout(() => void round(), RETRY_MS).unref();
  };

  return {
    begin: round,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
