// Serializes a component's result as the JSON of a GraphQL response; finished texts are inserted unchanged.
import type { Budget } from './budget/budget.ts';
import { refusedResult } from './budget/budgeted.ts';
import { joinedPieces, writeJson } from './budget/write-json.ts';
import type { ComponentExtensions, ComponentResult } from './component.ts';

function textsText(texts: Readonly<Record<string, string>>): string {
  let text = '';
  // Response keys are GraphQL names and need no escaping.
  for (const key in texts) text += `${text === '' ? '' : ','}"${key}":${texts[key] ?? 'null'}`;
  return `{${text}}`;
}

const isEmpty = (extensions: ComponentExtensions): boolean => {
  for (const _ in extensions) return false;
  return true;
};

/** Returns the text before and after `data`. */
function around({ errors, extensions }: ComponentResult, hasData: boolean): readonly [string, string] {
  const failed = errors === undefined || errors.length === 0 ? '' : `"errors":${JSON.stringify(errors)}`;
  const beside =
    extensions === undefined || isEmpty(extensions) ? '' : `,"extensions":${JSON.stringify(extensions)}`;
  return [`{${failed}${failed !== '' && hasData ? ',' : ''}${hasData ? '"data":' : ''}`, `${beside}}`];
}

/** Returns the whole response; without `data` where the request was rejected before execution. */
export function resultText(result: ComponentResult): string {
  const { data, texts } = result;
  const [before, after] = around(result, hasRun(result));
  const dataText = data === undefined ? '' : JSON.stringify(data);
  return `${before}${texts === undefined ? dataText : textsText(texts)}${after}`;
}

/**
 * Serializes within a budget: a large result is written as bytes, in slices. Where it exceeds the budget, the
 * text is the refusal. Returns the text with the result that it represents.
 */
export function writeResult(result: ComponentResult, budget: Budget): WrittenText | Promise<WrittenText> {
  if (result.data === undefined || result.data === null) return { result, text: resultText(result) };
  const written = writeJson(result.data, budget);
  const [before, after] = around(result, true);
  if (typeof written === 'string') return { result, text: `${before}${written}${after}` };
  return budget.within(written.then((pieces) => joinedPieces(before, pieces, after, budget))).then(
    (text): WrittenText => ({ result, text }),
    (thrown: unknown): WrittenText => {
      if (budget.ended === undefined) throw thrown;
      const refused = refusedResult(budget.ended);
      return { result: refused, text: resultText(refused) };
    },
  );
}

/** The text to send, and the result that it represents. */
export interface WrittenText {
  readonly result: ComponentResult;
  readonly text: string | Buffer;
}

/**
 * Whether the operation was executed. A request that was rejected before has neither data nor texts and is a
 * bad request.
 */
export const hasRun = ({ data, texts }: ComponentResult): boolean =>
  data !== undefined || texts !== undefined;
