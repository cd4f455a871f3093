// Creates the process's log on stderr: JSON lines in production, readable lines in development. Secrets are
// redacted in both.
import { type DestinationStream, type Logger, pino } from 'pino';

export interface LoggerOptions {
  readonly mode: 'development' | 'production';
  /** Lowest level that is logged; default `info`. */
  readonly level?: string;
  /** Destination of the lines; default stderr. */
  readonly destination?: DestinationStream;
}

/** Keys of secrets. They are redacted at the top of a record and up to two levels down. */
const SECRETS = [
  'authorization',
  'Authorization',
  'x-api-key',
  'X-Api-Key',
  'secret',
  'client_secret',
  'clientSecret',
  'password',
  'token',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'device_code',
  'cookie',
  'set-cookie',
];
const SECRET_PATHS = SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`]);

const UNTOLD = new Set(['level', 'time', 'msg', 'component', 'err']);

/** `09:30:00.123 warn  metadata: message key=value`, followed by an error's stack. */
function forPeople(line: string): string {
  // pino has written this record.
  const record = JSON.parse(line) as { level: string; time: string; msg?: string; component?: string };
  const component = record.component === undefined ? '' : `${record.component}: `;
  const rest = Object.entries(record)
    .filter(([key]) => !UNTOLD.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  // The format of pino's serializer for errors.
  const { err: error } = record as { err?: { stack?: string; message?: string } };
  const stack = error === undefined ? '' : `\n${error.stack ?? error.message ?? JSON.stringify(error)}`;
  return `${record.time.slice(11, 23)} ${record.level.padEnd(5)} ${component}${record.msg ?? ''}${rest.join('')}${stack}\n`;
}

export function createLogger({
  mode,
  level = 'info',
  destination = pino.destination({ dest: 2, sync: true }),
}: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: mode === 'production' ? { pid: process.pid } : null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: SECRET_PATHS, censor: '[secret]' },
    },
    mode === 'production' ? destination : { write: (line) => destination.write(forPeople(line)) },
  );
}

/** Returns the log of one component of the process. */
export const componentLogger = (log: Logger, component: string): Logger => log.child({ component });
