// Names of input files for tools, and the addresses of files beside them.

/** A valid file name for a tool, whatever the address contains. */
export const cleanName = (name: string): string => {
  const clean = name
    .replaceAll(/[^A-Za-z0-9._+=@,-]/g, '_')
    .replace(/^[-.]+/, '_')
    .slice(-120);
  return clean === '' ? 'file' : clean;
};

export function nameOf(location: string): string {
  const pathname = (URL.canParse(location) ? new URL(location).pathname : location).replace(/\/+$/, '');
  try {
    return cleanName(decodeURIComponent(pathname.split('/').at(-1) ?? ''));
  } catch (fault) {
    if (fault instanceof URIError) return cleanName(pathname.split('/').at(-1) ?? '');
    throw fault;
  }
}

/** The path of a secondary file, by CWL's pattern: each `^` removes an extension, the rest is appended. */
export function besideOf(location: string, pattern: string): string {
  const [, address = location, query = ''] = /^([^?#]*)(.*)$/s.exec(location) ?? [];
  const ending = pattern.replace(/^\^+/, '');
  let base = address;
  for (let taken = pattern.length - ending.length; taken > 0; taken--) base = base.replace(/\.[^./]*$/, '');
  return base + ending + query;
}
