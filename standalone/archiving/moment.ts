// The moment that is restored: what the operator names, and where it is in an archive.
import { DomainError } from '../../platform/errors.ts';
import { refusedBackup } from '../backups/backup-format.ts';
import type { Chain, PieceHeader } from './chain-format.ts';

export type Moment =
  | { readonly kind: 'time'; readonly time: string }
  | { readonly kind: 'position'; readonly position: number }
  | { readonly kind: 'latest' };

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** Microseconds matter, which a Date does not have: the text in UTC, so that texts compare as times do. */
function inUtc(text: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  const whole = new Date(text.replace(/\.\d+/, ''));
  return `${whole.toISOString().slice(0, 19)}.${fraction.padEnd(6, '0')}Z`;
}

/** @throws DomainError `invalid_request` */
export function readMoment(text: string): Moment {
  if (text === 'latest') return { kind: 'latest' };
  if (/^\d{1,15}$/.test(text)) return { kind: 'position', position: Number(text) };
  if (TIME.test(text) && !Number.isNaN(Date.parse(text))) return { kind: 'time', time: inUtc(text) };
  throw new DomainError(
    'invalid_request',
    `${text} is no moment: give a time with its zone (2026-11-26T09:30:00Z), a position of the log, or "latest"`,
  );
}

export function momentText(moment: Moment): string {
  if (moment.kind === 'latest') return 'latest';
  return moment.kind === 'time' ? moment.time : `position ${moment.position}`;
}

/** Whether a chain can be restored to it. */
export const begins = ({ since }: Chain, moment: Moment): boolean =>
  moment.kind === 'latest' ||
  (moment.kind === 'time' ? since.time <= moment.time : since.position <= moment.position);

/** Settings of PostgreSQL that make it stop there. */
export type Target = Readonly<Record<string, string>>;

/** Follows the pieces of a chain up to the moment. */
export class MomentFinder {
  readonly #moment: Moment;
  readonly #chain: Chain;
  /** The last transaction whose events are all up to the position. */
  #xid: string | undefined;
  #until: string;
  #isFound = false;

  constructor(chain: Chain, moment: Moment) {
    this.#chain = chain;
    this.#moment = moment;
    this.#until = chain.since.time;
    this.#isFound = moment.kind === 'position' && moment.position === chain.since.position;
  }

  /** Whether no more pieces are needed. */
  get isFound(): boolean {
    return this.#isFound;
  }

  add({ mark, written }: PieceHeader): void {
    if (mark === undefined) return;
    this.#until = mark.time;
    const moment = this.#moment;
    if (moment.kind === 'time') this.#isFound ||= mark.time >= moment.time;
    if (moment.kind !== 'position') return;
    for (const [xid, , to] of written) if (to <= moment.position) this.#xid = xid;
    this.#isFound ||= mark.position >= moment.position;
  }

  /**
   * @returns nothing to stop at the end of what is archived
   * @throws DomainError `validation_failed` where the archive ends before the moment
   */
  target(): Target {
    const moment = this.#moment;
    if (moment.kind === 'latest') return {};
    if (!this.#isFound)
      throw refusedBackup(
        `ends before ${momentText(moment)}: what was written until ${this.#until} can be restored (--until latest)`,
      );
    if (moment.kind === 'time')
      return { recovery_target_time: moment.time.replace('T', ' ').replace('Z', '+00') };
    return this.#xid === undefined
      ? { recovery_target_lsn: this.#chain.since.lsn }
      : { recovery_target_xid: this.#xid };
  }
}
