import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { unprivilegedAccount } from '@svc/testing/postgres';

/** Debian installs PgBouncer in /usr/sbin, which is on the PATH of root only. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

/** Why PgBouncer is not available, or `undefined` if it is. */
export const noPgBouncer =
  spawnSync('pgbouncer', ['--version'], { env }).status === 0
    ? undefined
    : "pgbouncer is not on the PATH (Debian's pgbouncer)";

/** A PgBouncer in front of a database. */
export interface PgBouncer extends AsyncDisposable {
  url: string;
}

/** Starts PgBouncer in front of a database, in the given pool mode and with additional configuration lines. */
export async function startPgBouncer(databaseUrl: string, mode: string, ...lines: string[]): Promise<PgBouncer> {
  const target = new URL(databaseUrl);
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'));
  const port = await freePort();
  const [users, configuration] = [join(folder, 'users.txt'), join(folder, 'pgbouncer.ini')];
  writeFileSync(users, `"${target.username}" "${target.password}"\n`);
  writeFileSync(
    configuration,
    [
      '[databases]',
      `* = host=${target.hostname} port=${target.port || 5432}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      `pool_mode = ${mode}`,
      'default_pool_size = 50',
      'max_client_conn = 200',
      ...lines,
    ].join('\n'),
  );
  // PgBouncer refuses to run as root.
  const account = unprivilegedAccount();
  if (account) for (const path of [folder, users, configuration]) chownSync(path, account.uid, account.gid);
  const child = spawn('pgbouncer', [configuration], { ...account, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.once('error', reject).once('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)));
    child.stderr.on('data', (text) => {
      log = `${log}${text}`.slice(-10_000);
      if (log.includes('process up')) resolve();
    });
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      // SIGTERM stops it at once and closes every connection.
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
