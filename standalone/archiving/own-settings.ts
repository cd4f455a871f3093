// What PostgreSQL reads at its start besides the database: written by us, whatever an archive has of it. It names programs
// and libraries that the server runs, and who may connect.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunAs } from '../../platform/database/embedded/run-as.ts';

/** As initdb writes it for a cluster of ours; all else is told at each start. */
const SETTINGS = `# Written by "cairn restore".
datestyle = 'iso, mdy'
timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'
lc_monetary = 'C'
lc_numeric = 'C'
lc_time = 'C'
default_text_search_config = 'pg_catalog.english'
`;
const ACCESS = `# Written by "cairn restore".
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
host all all ::1/128 scram-sha-256
local replication all scram-sha-256
host replication all 127.0.0.1/32 scram-sha-256
host replication all ::1/128 scram-sha-256
`;

const OWN: Readonly<Record<string, string>> = {
  'postgresql.conf': SETTINGS,
  'postgresql.auto.conf': '',
  'pg_hba.conf': ACCESS,
  'pg_ident.conf': '',
};
/** It would put links to other folders into the cluster, or let it follow another server. */
const NONE = ['tablespace_map', 'standby.signal', 'recovery.signal'];

export async function writeOwnSettings(cluster: string, as: RunAs): Promise<void> {
  for (const name of [...Object.keys(OWN), ...NONE])
    await rm(path.join(cluster, name), { recursive: true, force: true });
  for (const [name, text] of Object.entries(OWN)) {
    const file = path.join(cluster, name);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    as.own(file);
  }
}
