// Writes a component's answer as the JSON of a GraphQL response, finished texts as they are.
import type { Budget } from './budget/budget.ts';
import { refusedResult } from './budget/budgeted.ts';
import { writeJson } from './budget/write-json.ts';
import type { ComponentExtensions, ComponentResult } from './component.ts';

function textsText(texts: Readonly<Record<string, string>>): string {
  let text = '';
  for (const key in texts) text += `${text === '' ? '' : ','}"${key}":${texts[key] ?? 'null'}`; // response keys are GraphQL names: nothing to escape
  return `{${text}}`;
}

const isEmpty = (extensions: ComponentExtensions): boolean => {
  for (const _ in extensions) return false;
  return true;
};

/** What stands before and after `data`, where there is any. */
function around({ errors, extensions }: ComponentResult, hasData: boolean): readonly [string, string] {
  const failed = errors === undefined || errors.length === 0 ? '' : `"errors":${JSON.stringify(errors)}`;
  const beside =
    extensions === undefined || isEmpty(extensions) ? '' : `,"extensions":${JSON.stringify(extensions)}`;
  return [`{${failed}${failed !== '' && hasData ? ',' : ''}${hasData ? '"data":' : ''}`, `${beside}}`];
}

/** The whole response; without `data` where the request was refused before anything ran. */
export function resultText(result: ComponentResult): string {
  const { data, texts } = result;
  const [before, after] = around(result, hasRun(result));
  return `${before}${texts !== undefined ? textsText(texts) : data === undefined ? '' : JSON.stringify(data)}${after}`;
}

const together = (before: string, bytes: Buffer, after: string): Buffer =>
  Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);

/**
 * The same within a budget: of a large answer its bytes, written in turns; where it is too much, the refusal. What is answered is
 * told beside it.
 */
export function writeResult(result: ComponentResult, budget: Budget): Written | Promise<Written> {
  if (result.data === undefined || result.data === null) return { result, text: resultText(result) };
  const written = writeJson(result.data, budget);
  const [before, after] = around(result, true);
  if (typeof written === 'string') return { result, text: `${before}${written}${after}` };
  return budget.within(written).then(
    (bytes): Written => ({ result, text: together(before, bytes, after) }),
    (thrown: unknown): Written => {
      if (budget.ended === undefined) throw thrown;
      const refused = refusedResult(budget.ended);
      return { result: refused, text: resultText(refused) };
    },
  );
}

/** What is sent, and the result that it is the text of. */
export interface Written {
  readonly result: ComponentResult;
  readonly text: string | Buffer;
}

/** Whether anything ran: what was refused before has neither data nor texts, and is a bad request. */
export const hasRun = ({ data, texts }: ComponentResult): boolean =>
  data !== undefined || texts !== undefined;
