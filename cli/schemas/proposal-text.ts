// A proposed schema as YAML for `cairn schemas register`, with the evidence in comments.
import { stringify } from 'yaml';
import type { Inferred, InferOptions, Proposal } from '../../platform/tables/infer-schema.ts';

const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

const indented = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line, i) => (i === 0 ? `  - ${line}` : `    ${line}`))
    .join('\n');

/** A comment is one line, whatever a column is called. */
const comment = (text: string): string => `# ${text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ')}`;

/** Words such as `no` are quoted, which editors and tools of YAML 1.1 take for booleans. */
function fieldText({ column, field, evidence }: Proposal): string {
  const said = comment(`column ${JSON.stringify(column)}: ${evidence}`);
  if (field === null) return `  ${said}`;
  return `  ${said}\n${indented(stringify(field, { lineWidth: 0, compat: 'yaml-1.1' }))}`;
}

/** The command that loads the table into the type. */
export function loadCommand(file: string, { id, proposals }: Inferred, options: InferOptions): string {
  const later = proposals.flatMap(({ column, field }) =>
    field !== null && /_\d+$/.test(field.name) && !/\d$/.test(column)
      ? [`--map ${quoted(`${field.name}=${column}`)}`]
      : [],
  );
  const skipped = proposals.flatMap(({ column, field }) =>
    field === null && column !== id ? [`--skip ${quoted(column)}`] : [],
  );
  return [
    `cairn ingest ${quoted(file)} --type ${quoted(options.type)}`,
    ...(id === null ? [] : [`--id ${quoted(id)}`]),
    ...later,
    ...skipped,
    ...(options.separator === ';' ? [] : [`--separator ${quoted(options.separator)}`]),
    ...options.empty.map((text) => `--empty ${quoted(text)}`),
  ].join(' ');
}

export function proposalText(file: string, inferred: Inferred, options: InferOptions): string {
  const { rows, faults, proposals } = inferred;
  const unread = faults === 0 ? '' : `, and ${faults} that cannot be read`;
  return [
    comment(
      `Proposed by ${file}: ${rows} rows${unread}, ${proposals.length} columns. Edit it, then register it`,
    ),
    comment(`by "cairn schemas register", and load the table by`),
    comment(loadCommand(file, inferred, options)),
    stringify({ name: options.type, version: '1.0.0' }).trimEnd(),
    proposals.some(({ field }) => field !== null) ? 'fields:' : 'fields: []',
    ...proposals.map(fieldText),
    '',
  ].join('\n');
}
