// The mark of a restore that is under way: one process has it, and the next takes it over once that one has ended.
import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { DomainError } from '../../platform/errors.ts';
import { systemErrorCode } from '../../platform/system-error-code.ts';

const underWay = (who: string): DomainError =>
  new DomainError('conflict', `another restore into this data directory is under way (${who})`);

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false; // nobody has written it whole
  try {
    process.kill(pid, 0);
    return true;
  } catch (fault) {
    return systemErrorCode(fault) !== 'ESRCH'; // another account's is alive
  }
}

/** Takes the mark of a process that has ended away; of two that see it, one does. */
function removeDead(marker: string): void {
  const found = fs.readFileSync(marker, 'utf8');
  if (Number(found) !== process.pid && isAlive(Number(found))) throw underWay(`pid ${found}`);
  const taken = `${marker}.${randomUUID()}`;
  try {
    fs.renameSync(marker, taken);
  } catch (fault) {
    if (systemErrorCode(fault) === 'ENOENT') throw underWay('it has just begun');
    throw fault;
  }
  try {
    const now = fs.readFileSync(taken, 'utf8');
    if (now === found) return;
    fs.linkSync(taken, marker); // another one has replaced it in between
    throw underWay(`pid ${now}`);
  } finally {
    fs.rmSync(taken, { force: true });
  }
}

/** @throws DomainError `conflict` while another process has it */
export function claimMarker(marker: string): void {
  if (fs.existsSync(marker)) removeDead(marker);
  const made = `${marker}.${randomUUID()}`;
  fs.writeFileSync(made, String(process.pid), { mode: 0o600, flush: true });
  try {
    fs.linkSync(made, marker); // whole, and does not replace another's
  } catch (fault) {
    if (systemErrorCode(fault) === 'EEXIST') throw underWay('it has just begun');
    throw fault;
  } finally {
    fs.rmSync(made, { force: true });
  }
}
