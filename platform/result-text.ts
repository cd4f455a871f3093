// Writes a component's answer as the JSON of a GraphQL response, finished texts as they are.
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

/** The whole response; without `data` where the request was refused before anything ran. */
export function resultText({ data, texts, errors, extensions }: ComponentResult): string {
  const failed = errors === undefined || errors.length === 0 ? '' : `"errors":${JSON.stringify(errors)}`;
  const value = texts === undefined ? (data === undefined ? '' : `"data":${JSON.stringify(data)}`) : `"data":${textsText(texts)}`;
  const beside = extensions === undefined || isEmpty(extensions) ? '' : `,"extensions":${JSON.stringify(extensions)}`;
  return `{${failed}${failed !== '' && value !== '' ? ',' : ''}${value}${beside}}`;
}

/** Whether anything ran: what was refused before has neither data nor texts, and is a bad request. */
export const hasRun = ({ data, texts }: ComponentResult): boolean => data !== undefined || texts !== undefined;
