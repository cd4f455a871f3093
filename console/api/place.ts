// Where this console is served, as its page says.
const { dataset } = document.documentElement;

/** The server's root, with a final slash: below the prefix of a proxy, too. */
export const ROOT = new URL(dataset['root'] ?? './', location.href).href;
/** Path of the console, without a final slash. */
export const BASE = new URL('console', ROOT).pathname;
export const VERSION = dataset['version'] ?? '';
/** Whether the server runs from an archive, which has no examples, instead of a clone. */
export const IS_BUILT = dataset['built'] === 'true';
/** How people call the command line. */
export const COMMAND = dataset['command'] ?? 'npx cairn';
export const HAS_EXPLORER = dataset['explorer'] === 'true';
export const HAS_DOCS = dataset['docs'] === 'true';
/** How people sign in here. */
export const SIGN_IN = (dataset['signIn'] ?? 'sessions') as 'sessions' | 'nobody' | 'keys';
/** The script that reads PDFs. */
export const PDF_WORKER = new URL(dataset['pdfWorker'] ?? './', location.href).href;

export const urlOf = (path: string): string => new URL(path.replace(/^\//, ''), ROOT).href;
