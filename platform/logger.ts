// The process's log: JSON lines to stderr in production, lines for people in development, and no secrets in either.
import { type DestinationStream, type Logger, pino } from 'pino';

export interface LoggerOptions {
  readonly mode: 'development' | 'production';
  /** Least severe level written; `info` where not given. */
  readonly level?: string;
  /** Where lines go; stderr where not given. */
  readonly destination?: DestinationStream;
}

/** Names under which secrets travel. They are blacked out at the top of a record and up to two levels down. */
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

/** `09:30:00.123 warn  metadata: message key=value`, with an error's stack below it. */
function forPeople(line: string): string {
  const record = JSON.parse(line) as { level: string; time: string; msg?: string; component?: string }; // pino has just written it
  const component = record.component === undefined ? '' : `${record.component}: `;
  const rest = Object.entries(record)
    .filter(([key]) => !UNTOLD.has(key))
    .map(([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const { err: error } = record as { err?: { stack?: string; message?: string } }; // pino's serializer for errors
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

/** The log of one component of the process. */
export const componentLogger = (log: Logger, component: string): Logger => log.child({ component });
