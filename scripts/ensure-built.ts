import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Usage: node scripts/ensure-built.ts [--declarations] [folder…]. Builds the given packages (default: all) if their
// builds are missing or older than their sources. `--declarations` also builds the type declarations, which take most
// of the build time. Only `npm pack` and the checks of packed files need the declarations. Writes to standard error,
// because the script may run in the server's process, which prints its ready line to standard output.

const root = join(import.meta.dirname, '..');

interface Package {
  /** A file from the package's build. The package is stale if this file is missing, or is older than a source file. */
  built: string;
  /** Whether `npm run build` also writes type declarations and guides, which `npm run build:js` does not write. */
  hasDeclarations: boolean;
  /** Paths in the package's folder or, with a leading slash, in the repository. */
  sources: readonly string[];
  needs: readonly string[];
}

const COMMON = ['src', 'package.json', '/packages/contract/src', '/package-lock.json', '/tsconfig.base.json'];
/** Tarballs contain guides from `docs`. */
const PUBLISHED = [...COMMON, 'tsup.config.ts', '/build', '/docs/guides', '/docs/silences'];

const PACKAGES: Readonly<Record<string, Package>> = {
  'packages/client': { built: 'dist/index.js', hasDeclarations: true, sources: PUBLISHED, needs: [] },
  'packages/webhooks': {
    built: 'dist/index.js',
    hasDeclarations: true,
    sources: [...PUBLISHED, 'tsup.rest.config.ts', 'build'],
    needs: [],
  },
  'packages/dashboard': {
    built: 'dist/index.html',
    hasDeclarations: false,
    sources: [...COMMON, 'index.html', 'docs.html', 'public', 'build', 'vite.config.ts'],
    needs: ['packages/client', 'packages/webhooks'],
  },
  'mock-server': {
    built: 'dist/index.js',
    hasDeclarations: true,
    sources: [...PUBLISHED, 'build'],
    needs: ['packages/client', 'packages/webhooks', 'packages/dashboard'],
  },
  'packages/conformance': { built: 'dist/main.js', hasDeclarations: true, sources: PUBLISHED, needs: [] },
};

/** What `svc-mock` needs to run from the sources: two libraries and the files for the browser. */
export const NEEDED_BY_SOURCES: readonly string[] = ['packages/client', 'packages/webhooks', 'packages/dashboard'];

/** Builds the stale packages, and the packages that they need. Rejects with the output of the build that failed. */
export async function ensureBuilt(
  folders: readonly string[] = Object.keys(PACKAGES),
  { declarations = false }: { declarations?: boolean } = {},
): Promise<void> {
  if (staleOf(folders, declarations).length === 0) return;
  using _lock = await takeBuildLock();
  // While this process waited for the lock, another process may have built the packages.
  const stale = staleOf(folders, declarations);
  if (stale.length === 0) return;
  process.stderr.write(`Building ${stale.map((folder) => folder.replace('packages/', '')).join(', ')} (once) …\n`);
  const building = new Map<string, Promise<void>>();
  for (const folder of stale) {
    const first = Promise.all(packageAt(folder).needs.map((needed) => building.get(needed)));
    building.set(
      folder,
      first.then(() => build(folder, declarations)),
    );
  }
  await Promise.all(building.values());
}

/** How long to wait for the builds of another process. */
const LOCK_WAIT_MAX_MS = 10 * 60_000;

/** The lock is an open SQLite transaction: the operating system releases the lock when the process ends or crashes. */
async function takeBuildLock(): Promise<Disposable> {
  // Load SQLite only here, because most starts build nothing.
  const { DatabaseSync } = await import('node:sqlite');
  mkdirSync(builtFolder, { recursive: true });
  const lock = new DatabaseSync(join(builtFolder, 'lock.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    process.stderr.write('Waiting for another process to finish its build …\n');
    lock.exec(`PRAGMA busy_timeout = ${LOCK_WAIT_MAX_MS}; BEGIN EXCLUSIVE`);
  }
  return { [Symbol.dispose]: () => lock.close() };
}
const SQLITE_BUSY = 5;

function packageAt(folder: string): Package {
  const found = PACKAGES[folder];
  if (!found) throw new Error(`${folder} has no build. Packages with a build: ${Object.keys(PACKAGES).join(', ')}`);
  return found;
}

/**
 * Returns the stale packages, each after the packages that it needs. A package is also stale if a package that it needs
 * is stale.
 */
function staleOf(folders: readonly string[], declarations: boolean): string[] {
  const stale = new Set<string>();
  const seen = new Set<string>();
  const visit = (folder: string): void => {
    if (seen.has(folder)) return;
    seen.add(folder);
    const { needs } = packageAt(folder);
    needs.forEach(visit);
    if (isStale(folder, declarations) || needs.some((needed) => stale.has(needed))) stale.add(folder);
  };
  folders.forEach(visit);
  return [...stale];
}

const builtFolder = join(root, 'node_modules/.cache/built');

/** The path of a folder's stamp. Each successful build writes a stamp, so a failed or killed build leaves no stamp. */
const stampOf = (folder: string) => join(builtFolder, folder.replace('/', '-'));

function isStale(folder: string, declarations: boolean): boolean {
  const one = packageAt(folder);
  const builtAt = Math.min(changedAt(stampOf(folder)), changedAt(join(root, folder, one.built)));
  if (builtAt === 0) return true;
  if (declarations && one.hasDeclarations && readFileSync(stampOf(folder), 'utf8') !== 'build') return true;
  if (one.needs.some((needed) => changedAt(stampOf(needed)) > builtAt)) return true;
  return one.sources.some(
    (path) => changedAt(path.startsWith('/') ? join(root, path) : join(root, folder, path)) > builtAt,
  );
}

/**
 * Returns the time of the last change to the file, or to the newest file in the folder, in milliseconds since the
 * epoch. Returns 0 if no file exists.
 */
function changedAt(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** Builds a package. Shows the build's output only if the build fails. */
async function build(folder: string, declarations: boolean): Promise<void> {
  const script = declarations || !packageAt(folder).hasDeclarations ? 'build' : 'build:js';
  rmSync(stampOf(folder), { force: true });
  // A test may start this build. The environment of the test must not affect the built files.
  const { NODE_ENV: _tests, ...env } = process.env;
  const child = spawn('npm', ['run', script, '--silent', '--workspace', folder], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const status = await new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0) throw new Error(`${output}Cannot build ${folder}: npm run ${script} ended with ${status}.`);
  writeFileSync(stampOf(folder), script);
}

if (import.meta.main) {
  const words = process.argv.slice(2);
  const folders = words.filter((word) => word !== '--declarations');
  try {
    await ensureBuilt(folders.length > 0 ? folders : undefined, { declarations: words.includes('--declarations') });
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exitCode = 1;
  }
}
