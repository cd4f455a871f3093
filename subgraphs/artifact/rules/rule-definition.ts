// A production rule as it is registered (docs/reference/artifact.md#rule-definition), with the field names of
// registration.
import type { JsonValue } from '../../../platform/json.ts';

export interface RuleOutput {
  readonly entity_type: string;
  readonly from_output?: string | null;
  readonly array_mode?: string | null;
  readonly match?: Readonly<Record<string, JsonValue>> | null;
}

/** The rule's workflow. */
export interface RuleExecution {
  readonly cwl_url?: string | null;
  readonly cwl_content?: string | null;
  readonly cwl_hash?: string | null;
}

export interface RuleDefinition {
  readonly name: string;
  readonly produces: RuleOutput | readonly RuleOutput[];
  readonly requires?: readonly { readonly ref: string }[] | null;
  readonly execute: RuleExecution;
  readonly description?: string | null;
  readonly tags?: readonly string[] | null;
  readonly scope?: string | null;
  /** What may be reused: `any` stored entity that matches (the default), or only what was `produced` here. */
  readonly reuse?: 'any' | 'produced' | null;
}

const isList = (produces: RuleDefinition['produces']): produces is readonly RuleOutput[] =>
  Array.isArray(produces);

/** `produces` may be one object or a list; code that uses a rule gets the list. */
export const outputsOf = ({ produces }: Pick<RuleDefinition, 'produces'>): readonly RuleOutput[] =>
  isList(produces) ? produces : [produces];
