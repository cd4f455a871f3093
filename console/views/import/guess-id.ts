// Which column of a sheet has the ids of its rows: guessed by its name, and by what is in it.
import type { TypeInfo } from '../../parts/type-infos.ts';
import { cellText, guessedUses, type Matching, type Sheet, squeezed, type Use } from './sheet.ts';

/** Rows by which columns are looked at; the best are looked at whole. */
const LOOKED_AT = 200;
/** Below it a guess would be wrong too often: each row is a new entity then. */
const ENOUGH = 3;
/** The score of a column that is called as the type is. */
const OF_TYPE = 5;

const ID_NAME = /(?:^|[^\p{L}])(?:id|identifier|accession|barcode|key|code)$/iu;
const ID_NAME_JOINED = /\p{Ll}(?:Id|ID|Identifier|Accession|Barcode|Key|Code)$/u;
/** What an id may be (docs/reference/metadata.md#entities). */
const isId = (text: string): boolean => /^[^\s/\\\p{C}]{1,200}$/u.test(text) && text !== '.' && text !== '..';

const textsOf = ({ rows }: Sheet, column: number, most: number): readonly string[] =>
  rows.slice(0, most).map(({ cells }) => cellText(cells[column]).trim());

/** Whether every row has one, and each another. */
const areIds = (texts: readonly string[]): boolean =>
  texts.length > 0 && texts.every(isId) && new Set(texts).size === texts.length;

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d/.test(text);
const isFraction = (text: string): boolean => /^[-+]?\d*[.,]\d+(?:e[-+]?\d+)?$/i.test(text);
const isWhole = (text: string): boolean => /^[-+]?\d+$/.test(text);

/** How much the values look like ids: letters with digits of one shape do, measurements and dates do not. */
function shapeScore(texts: readonly string[]): number {
  if (texts.every((text) => isDate(text) || isFraction(text) || isWhole(text)))
    return texts.every(isWhole) ? 0 : -ENOUGH;
  const begins = new Set(texts.map((text) => /^[^\d]*/.exec(text)?.[0] ?? ''));
  const isAlike = begins.size === 1 && texts.length > 1 && !begins.has('');
  return (isAlike ? 3 : 1) + (texts.every((text) => /\d/.test(text)) ? 1 : 0);
}

function nameScore(name: string, typeName: string): number {
  const [short, type] = [squeezed(name), squeezed(typeName)];
  if (short === `${type}id` || short === type) return OF_TYPE;
  return ID_NAME.test(name) || ID_NAME_JOINED.test(name) ? 3 : 0;
}

/**
 * The column, or -1. One of the wanted name is taken unless what it has repeats, or it has none, and another's fit. What is a
 * field is not taken for an id as well without such a column, unless it is called as the type is.
 * @param wanted the name of the column of ids, as far as somebody knows it
 */
function guessedIdColumn(sheet: Sheet, typeName: string, uses: readonly Use[], wanted: string): number {
  const { columns } = sheet;
  const named = columns.findIndex((name) => squeezed(name) === squeezed(wanted));
  if (sheet.rows.length === 0) return named;
  const given = named === -1 ? [] : textsOf(sheet, named, Infinity).filter((text) => text !== '');
  if (areIds(given)) return named; // a row without one is a new entity, or is corrected
  const best = columns
    .map((name, column) => ({ name, column, texts: textsOf(sheet, column, LOOKED_AT) }))
    .filter(({ column, name, texts }) => {
      const isData = named === -1 && uses[column]?.to !== '' && nameScore(name, typeName) < OF_TYPE;
      return column !== named && !isData && areIds(texts);
    })
    .map(({ name, column, texts }) => ({
      column,
      score: nameScore(name, typeName) + shapeScore(texts) + (column === 0 ? 1 : 0),
    }))
    .filter(({ score }) => score >= ENOUGH)
    .sort((one, other) => other.score - one.score || one.column - other.column)
    .find(({ column }) => areIds(textsOf(sheet, column, Infinity)));
  return best?.column ?? named;
}

/** How rows become entities, as far as that can be guessed. @param idColumn the name of the column of ids, where it is known */
export function guessedMatching(sheet: Sheet, type: TypeInfo, idColumn = 'id'): Matching {
  const uses = guessedUses(sheet.columns, type);
  const column = guessedIdColumn(sheet, type.name, uses, idColumn);
  return {
    uses,
    id: column === -1 ? undefined : { column, prefix: '' },
  };
}
