// Serialises pages of stale results as JSON text: as values their many small objects take longer than all else of a page
// that was told before.
import { rowWriter, type RowWriter, writeRows } from '../../../platform/row-writer.ts';
import type { TextSelection } from '../../../platform/text-fields.ts';
import type { StaleItem, StalePage } from './stale-page.ts';
import type { Staleness, StaleReason } from './staleness.service.ts';

type Fields<Row> = Readonly<Record<string, RowWriter<Row>>>;

/** Members by the names that the SDL has for them; a reason has some of them. */
const members = <Row extends object>(typename: string, names: string): Fields<Row> => ({
  ...Object.fromEntries(
    names.split(' ').map((name) => [
      name,
      // a reason has some of the members of its type
      (row: Row) => JSON.stringify((row as Readonly<Record<string, unknown>>)[name] ?? null),
    ]),
  ),
  __typename: () => `"${typename}"`,
});

const REASON = members<StaleReason>(
  'StaleReason',
  'kind message via productionId entityId field input fromVersion toVersion fromRule toRule image fromDigest toDigest',
);
const STALENESS = members<Staleness>('Staleness', 'isStale notKnown isComplete');
const RESULT = members<StaleItem>('StaleResult', 'entityId entityType productionId rule since');
const PAGE = members<StalePage>('StaleResultPage', 'nextCursor isComplete upTo');

type Writer<Row> = (selection: readonly TextSelection[]) => RowWriter<Row> | null;

/**
 * With a member that has members of its own, which a selection may name once.
 * @param fields without the member
 */
const withBelow =
  <Row, Below>(
    fields: Fields<Row>,
    member: string,
    below: Writer<Below>,
    writeMember: (write: RowWriter<Below>) => RowWriter<Row>,
  ): Writer<Row> =>
  (selection) => {
    const [first, ...others] = selection.filter(({ name }) => name === member);
    if (first === undefined) return rowWriter(selection, fields);
    const write = others.length === 0 ? below(first.selection) : null;
    return write && rowWriter(selection, { ...fields, [member]: writeMember(write) });
  };

const reasonWriter: Writer<StaleReason> = (selection) => rowWriter(selection, REASON);
const stalenessWriter = withBelow<Staleness, StaleReason>(
  STALENESS,
  'reasons',
  reasonWriter,
  (write) =>
    ({ reasons }, budget) =>
      `[${writeRows(reasons, write, budget)}]`,
);
const resultWriter = withBelow<StaleItem, Staleness>(
  RESULT,
  'staleness',
  stalenessWriter,
  (write) =>
    ({ staleness }, budget) =>
      write(staleness, budget),
);

/** A serialiser of pages for the selection, or null if it selects what other nouns answer. */
export const stalePageWriter = withBelow<StalePage, StaleItem>(
  PAGE,
  'items',
  resultWriter,
  (write) =>
    ({ items }, budget) =>
      `[${writeRows(items, write, budget)}]`,
);
