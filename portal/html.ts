// HTML by tagged templates: every inserted value is escaped, unless it is HTML created by the same function.

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

type Part = Html | string | undefined | readonly Html[];

const shown = (part: Part): string => {
  if (part === undefined) return '';
  if (part instanceof Html) return part.text;
  return typeof part === 'string' ? escape(part) : part.map(({ text }) => text).join('');
};

/** A piece of a page. Attributes with inserted values must be in double quotes. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(pieces.reduce((text, piece, i) => text + shown(parts[i - 1]) + piece));
