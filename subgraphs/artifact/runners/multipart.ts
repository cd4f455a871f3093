// A form with files as the body of a request.
import { randomUUID } from 'node:crypto';

export interface FormFile {
  readonly name: string;
  readonly content: Blob;
}

/** As browsers write names (HTML, "multipart/form-data"). */
const quoted = (name: string): string =>
  `"${name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')}"`;

/**
 * `multipart/form-data` (RFC 7578) as a Blob, of which fetch reads only what it sends. Of a FormData, fetch of Node 24 reads all
 * at once into memory, and what it reads after an early answer is a rejection that nobody can handle and ends the process.
 */
export function multipart(
  fields: Readonly<Record<string, string>>,
  field: string,
  files: readonly FormFile[],
): Blob {
  const boundary = `cairn-${randomUUID()}`;
  const head = (name: string, more = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; name=${quoted(name)}${more}\r\n`;
  return new Blob(
    [
      ...Object.entries(fields).map(([name, value]) => `${head(name)}\r\n${value}\r\n`),
      ...files.flatMap(({ name, content }) => [
        `${head(field, `; filename=${quoted(name)}`)}Content-Type: application/octet-stream\r\n\r\n`,
        content,
        '\r\n',
      ]),
      `--${boundary}--\r\n`,
    ],
    { type: `multipart/form-data; boundary=${boundary}` }, // lower case throughout, as the type of a Blob is
  );
}
