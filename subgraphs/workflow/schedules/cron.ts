// Reads cron expressions (contract 3: five fields, six with seconds, in a time zone).
import { CronExpressionParser } from 'cron-parser';

/** What is wrong with an expression, in words; null if nothing is. */
export function faultOfCron(expression: string, timezone: string): string | null {
  const fields = expression.trim().split(/\s+/);
  if (expression.trim().startsWith('@')) return 'must be a cron expression of five or six fields';
  if (fields.length !== 5 && fields.length !== 6) return `must have five fields, or six with seconds, not ${fields.length}`;
  try {
    CronExpressionParser.parse(expression, { tz: timezone }).next();
    return null;
  } catch (error) {
    return `is no cron expression: ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** The latest tick that is not after `now`; null where there has been none. */
export function lastTick(expression: string, timezone: string, now: Date): Date | null {
  const parsed = CronExpressionParser.parse(expression, { tz: timezone, currentDate: new Date(now.getTime() + 1) }); // `prev` leaves the current instant out
  try {
    return parsed.prev().toDate();
  } catch (error) {
    if (error instanceof Error && /iterat|loop|out of/i.test(error.message)) return null; // it only comes in the future
    throw error;
  }
}
