import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux reports processor time in hundredths of a second. */
const TICK_MICROS = 10_000;

/**
 * Creates a function that returns how much processor time all processes of a PostgreSQL server on this machine have
 * used so far, in microseconds. Returns `undefined` if the system does not report processor times under `/proc`.
 */
export async function createPostgresTime(url: string): Promise<(() => number) | undefined> {
  if (process.platform !== 'linux') return undefined;
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const parent = rows[0] && readStat(String(rows[0].pid))?.parent;
  await client.end();
  if (parent === undefined) return undefined;
  return () => {
    // If a backend ends during these reads, its time moves to its parent process. This time may be counted twice or not
    // at all. In this case, read again.
    for (;;) {
      const before = readStat(parent)?.withEndedChildren ?? 0;
      const children = readdirSync('/proc').map(readStat);
      const ticks = children.reduce((sum, stat) => sum + (stat?.parent === parent ? stat.own : 0), before);
      if ((readStat(parent)?.withEndedChildren ?? 0) === before) return ticks * TICK_MICROS;
    }
  };
}

/** Reads `proc_pid_stat(5)`. Returns `undefined` if there is no such process. */
function readStat(pid: string): { parent: string; own: number; withEndedChildren: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The command's name may contain any character, so skip the name. The third field comes next.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => fields[number - 3] ?? '';
  const own = Number(field(14)) + Number(field(15));
  return { parent: field(4), own, withEndedChildren: own + Number(field(16)) + Number(field(17)) };
}
