// A rule as it is filled in, and the definition that it stands for (docs/reference/artifact.md#rule-definition).
import { isData } from '../../api/json.ts';

/** Whether somebody may write rules of a scope. */
export const mayWriteRule = (
  scope: string,
  { actor, is }: { readonly actor: string; readonly is: (role: 'analyst') => boolean },
): boolean => (scope === 'global' ? is('analyst') : scope === actor);

export interface OutputDraft {
  readonly type: string;
  /** The workflow's output; empty where the outputs are the fields. */
  readonly from: string;
  readonly isPerItem: boolean;
  /** A line for each identity field: `field = {placeholder}`. */
  readonly match: string;
}

export interface RuleDraft {
  readonly name: string;
  readonly description: string;
  readonly scope: string;
  readonly outputs: readonly OutputDraft[];
  /** A line for each reference. */
  readonly requires: string;
  readonly url: string;
  /** The workflow itself, where there is no address. */
  readonly text: string;
  /** What the form does not show: tags, reuse. */
  readonly rest: Readonly<Record<string, unknown>>;
}

export const NO_OUTPUT: OutputDraft = { type: '', from: '', isPerItem: false, match: '' };

export const emptyDraft = (scope: string): RuleDraft => ({
  name: '',
  description: '',
  scope,
  outputs: [NO_OUTPUT],
  requires: '',
  url: '',
  text: '',
  rest: {},
});

/** base64 of UTF-8. */
export const embeddedText = (content: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(content), (sign) => sign.charCodeAt(0)));

const embedded = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A value as JSON has it, or the text itself. */
function valueIn(text: string): unknown {
  if (!/^(?:-?\d|"|\[|true$|false$|null$)/.test(text)) return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (fault) {
    if (!(fault instanceof SyntaxError)) throw fault;
    return text;
  }
}

const matchOf = (text: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    lines(text).map((line) => {
      const [field = '', ...value] = line.split('=');
      return [field.trim(), valueIn(value.join('=').trim())];
    }),
  );

export function definitionOf(draft: RuleDraft): Readonly<Record<string, unknown>> {
  const produces = draft.outputs.map(({ type, from, isPerItem, match }) => ({
    entity_type: type,
    ...(from.trim() === '' ? {} : { from_output: from.trim() }),
    ...(isPerItem ? { array_mode: 'one_per_item' } : {}),
    ...(match.trim() === '' ? {} : { match: matchOf(match) }),
  }));
  const requires = lines(draft.requires).map((ref) => ({ ref }));
  return {
    ...draft.rest,
    name: draft.name.trim(),
    ...(draft.description.trim() === '' ? {} : { description: draft.description.trim() }),
    scope: draft.scope,
    produces: produces.length === 1 ? produces[0] : produces,
    ...(requires.length === 0 ? {} : { requires }),
    execute: draft.url.trim() === '' ? { cwl_content: embedded(draft.text) } : { cwl_url: draft.url.trim() },
  };
}

const textIn = (data: Readonly<Record<string, unknown>>, key: string): string => {
  const value = data[key];
  return typeof value === 'string' ? value : '';
};

const shownValue = (value: unknown): string =>
  typeof value === 'string' && valueIn(value) === value ? value : JSON.stringify(value);

function outputIn(sent: unknown): OutputDraft {
  if (!isData(sent)) return NO_OUTPUT;
  const match = isData(sent['match']) ? sent['match'] : {};
  return {
    type: textIn(sent, 'entity_type'),
    from: textIn(sent, 'from_output'),
    isPerItem: sent['array_mode'] === 'one_per_item',
    match: Object.entries(match)
      .map(([field, value]) => `${field} = ${shownValue(value)}`)
      .join('\n'),
  };
}

/** A registered definition, to be changed. */
export function draftOf(definition: unknown, scope: string): RuleDraft {
  if (!isData(definition)) return emptyDraft(scope);
  const { name: _, description: __, scope: own, produces, requires, execute, ...rest } = definition;
  const run = isData(execute) ? execute : {};
  const content = textIn(run, 'cwl_content');
  return {
    name: textIn(definition, 'name'),
    description: textIn(definition, 'description'),
    scope: typeof own === 'string' ? own : 'global',
    outputs: [produces].flat().map(outputIn),
    requires: (Array.isArray(requires) ? (requires as readonly unknown[]) : []) // each member is checked
      .map((one) => (isData(one) ? textIn(one, 'ref') : ''))
      .join('\n'),
    url: textIn(run, 'cwl_url'),
    text: content === '' ? '' : embeddedText(content),
    rest,
  };
}
