import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** Linux counts processor time for its readers in hundredths of a second. */
const TICK_MICROS = 10_000;

/**
 * Makes a reader of the processor time that a PostgreSQL on this machine has used until now, in microseconds: of its
 * backends and of all that it runs beside them. `undefined` where the system does not tell it under `/proc`.
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
    // A backend that ends meanwhile is counted with its parent from then on, so that it might count twice or not at all.
    for (;;) {
      const before = readStat(parent)?.withEndedChildren ?? 0;
      const children = readdirSync('/proc').map(readStat);
      const ticks = children.reduce((sum, stat) => sum + (stat?.parent === parent ? stat.own : 0), before);
      if ((readStat(parent)?.withEndedChildren ?? 0) === before) return ticks * TICK_MICROS;
    }
  };
}

/** Of `proc_pid_stat(5)`; `undefined` where there is no such process. */
function readStat(pid: string): { parent: string; own: number; withEndedChildren: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // Behind the command's name, which may hold anything, the third field comes first.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const field = (number: number) => fields[number - 3] ?? '';
  const own = Number(field(14)) + Number(field(15));
  return { parent: field(4), own, withEndedChildren: own + Number(field(16)) + Number(field(17)) };
}
