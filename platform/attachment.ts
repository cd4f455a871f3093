// The name under which a client saves an answer.

const MAX_NAME_LENGTH = 200;
/** Would leave the folder that a client saves to, is hidden there, or shows as another name. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu;

/** A file name that is safe to save under, of any characters that can be read. */
export function safeName(name: string): string {
  const clean = [
    ...name
      .toWellFormed()
      .replaceAll(UNSAFE, '_')
      .replace(/^[\s.]+/, '_')
      .trimEnd(),
  ];
  return clean.length === 0 ? 'file' : clean.slice(-MAX_NAME_LENGTH).join('');
}

/**
 * Content-Disposition of a file to save, under a safe name, which it holds twice: in ASCII, and whole (RFC 6266,
 * RFC 8187).
 */
export function attachment(given: string): string {
  const name = safeName(given);
  const ascii = name.replaceAll(/[^\x20-\x7e]|[%;]/g, '_');
  const whole = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${whole}`;
}
