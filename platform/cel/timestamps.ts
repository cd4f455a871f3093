// Parses and formats RFC 3339 timestamps and provides CEL's timestamp functions, with microseconds and finer
// digits.
import { CelScalar, celFunc, celMethod, objectType } from '@bufbuild/cel';
import type { CelFunc } from '@bufbuild/cel';
import { create } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import { LRUCache } from 'lru-cache';
import { spend } from './limits.ts';

const TIMESTAMP = objectType(TimestampSchema);

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970: the range that CEL allows. */
const FIRST_SECOND = -62_135_596_800;
const LAST_SECOND = 253_402_300_799;

function timestamp(seconds: number, nanos: number): Timestamp {
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND))
    throw new RangeError('the timestamp is out of range');
  return create(TimestampSchema, { seconds: BigInt(seconds), nanos });
}

/** Returns milliseconds since 1970 of a UTC date. Years below 100 are not moved to the 20th century. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime();
}

/** Parses RFC 3339 with up to nine fractional digits. @throws Error for other text or an impossible date */
export function parseTimestamp(text: string): Timestamp {
  const match = RFC3339.exec(text);
  if (match === null) throw new Error('not an RFC 3339 timestamp');
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const offset =
    match[8] === undefined ? 0 : Number(`${match[8]}1`) * (Number(match[9]) * 60 + Number(match[10]));
  const local = new Date(utc(year, month, day, hour, minute, second));
  const real =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(match[9] ?? 0) < 24 &&
    Number(match[10] ?? 0) < 60;
  if (!real) throw new Error('the date or time does not exist');
  return timestamp(local.getTime() / 1000 - offset * 60, Number((match[7] ?? '').padEnd(9, '0')));
}

/**
 * Formats as RFC 3339 in UTC with microseconds, as the platform writes every timestamp
 * (docs/reference/api-conventions.md#timestamps). Finer digits are truncated.
 */
export function formatTimestamp({ seconds, nanos }: Timestamp): string {
  const date = new Date(Number(seconds) * 1000);
  return `${date.toISOString().slice(0, 19)}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`;
}

const zones = new LRUCache<string, Intl.DateTimeFormat>({ max: 64 });

function zoneFormat(name: string): Intl.DateTimeFormat {
  spend(100); // the cost of using a format, else of creating one: 10 and 100 µs
  const known = zones.get(name);
  if (known !== undefined) return known;
  spend(1000);
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  zones.set(name, format);
  return format;
}

/**
 * Returns the local time in a zone (`+02:00` or an IANA name) as a Date whose UTC fields hold it.
 * @throws Error for an unknown zone
 */
function wallClock({ seconds, nanos }: Timestamp, zone: string | undefined): Date {
  const instant = Number(seconds) * 1000 + Math.floor(nanos / 1_000_000);
  if (zone === undefined || zone === 'UTC') return new Date(instant);
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3]);
    return new Date(instant + (offset[1] === '-' ? -minutes : minutes) * 60_000);
  }
  const parts = new Map(
    zoneFormat(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  const shown = utc(part('year'), part('month'), part('day'), part('hour'), part('minute'), part('second'));
  return new Date(shown + (((instant % 1000) + 1000) % 1000));
}

const dayOfYear = (date: Date): number =>
  Math.floor((date.getTime() - utc(date.getUTCFullYear(), 1, 1, 0, 0, 0)) / 86_400_000);

const ACCESSORS: Readonly<Record<string, (wall: Date) => number>> = {
  getFullYear: (wall) => wall.getUTCFullYear(),
  getMonth: (wall) => wall.getUTCMonth(),
  getDate: (wall) => wall.getUTCDate(),
  getDayOfMonth: (wall) => wall.getUTCDate() - 1,
  getDayOfWeek: (wall) => wall.getUTCDay(),
  getDayOfYear: dayOfYear,
  getHours: (wall) => wall.getUTCHours(),
  getMinutes: (wall) => wall.getUTCMinutes(),
  getSeconds: (wall) => wall.getUTCSeconds(),
  getMilliseconds: (wall) => wall.getUTCMilliseconds(),
};

/**
 * Replaces functions of the library, which use this machine's time zone, round to milliseconds (one second
 * too late from .9995 on, wrong in hours that daylight saving skips), and read `timestamp(int)` as
 * milliseconds.
 */
export const timestampFunctions: readonly CelFunc[] = [
  celFunc('timestamp', [CelScalar.STRING], TIMESTAMP, parseTimestamp),
  celFunc('timestamp', [CelScalar.INT], TIMESTAMP, (seconds) => timestamp(Number(seconds), 0)),
  ...Object.entries(ACCESSORS).flatMap(([name, read]) => [
    celMethod(name, TIMESTAMP, [], CelScalar.INT, function () {
      return BigInt(read(wallClock(this.message, undefined)));
    }),
    celMethod(name, TIMESTAMP, [CelScalar.STRING], CelScalar.INT, function (zone) {
      return BigInt(read(wallClock(this.message, zone)));
    }),
  ]),
];
