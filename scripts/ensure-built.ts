import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// Builds each package that has no build, or whose build is older than its sources.
//
// Usage: node scripts/ensure-built.ts [--declarations] [folder…]; `npm run build` runs this script with --declarations.
//   folder           a package to build (default: all packages)
//   --declarations   builds the type declarations too. The declarations take most of the time. Only `npm pack` and
//                    the checks of packed files need them.
//
// The script may run in the server's process, which prints its ready line to standard output. So the script writes to
// standard error.

const root = join(import.meta.dirname, '..');

/** A package with a build. */
interface Package {
  /** A file that the build writes. The package is stale if this file is missing or is older than a source. */
  built: string;
  /** Whether `npm run build` also writes type declarations and guides, which `npm run build:js` does not write. */
  hasDeclarations: boolean;
  /**
   * Folders and files that the build reads. A path is relative to the package's folder or, with a leading slash, to the
   * root of the repository.
   */
  sources: readonly string[];
  /** The packages whose builds this build needs. */
  needs: readonly string[];
}

const COMMON = ['src', 'package.json', '/packages/contract/src', '/package-lock.json', '/tsconfig.base.json'];
/** The sources of a published package. They include `docs`, because tarballs contain guides. */
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

/** The packages that `svc-mock` needs when it runs from the sources: two libraries and the files for the browser. */
export const NEEDED_BY_SOURCES: readonly string[] = ['packages/client', 'packages/webhooks', 'packages/dashboard'];

/**
 * Builds the stale packages, each as soon as the packages that it needs are built. Prints one line with the names of
 * the stale packages.
 *
 * @param folders - The packages to build. The packages that they need are built too.
 * @throws Error with the output of the build that failed.
 */
export async function ensureBuilt(
  folders: readonly string[] = Object.keys(PACKAGES),
  { declarations = false }: { declarations?: boolean } = {},
): Promise<void> {
  if (staleOf(folders, declarations).length === 0) return;
  using _turn = await takeTurn();
  // While this process waited for its turn, another process may have built the packages.
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
const TURN_MAX_MS = 10 * 60_000;

/**
 * Waits until no other process builds in this clone. The lock is an open SQLite transaction, so the operating system
 * releases it when the process ends, even after a crash.
 */
async function takeTurn(): Promise<Disposable> {
  // Import SQLite only when something must be built, because most starts build nothing.
  const { DatabaseSync } = await import('node:sqlite');
  mkdirSync(builtFolder, { recursive: true });
  const lock = new DatabaseSync(join(builtFolder, 'turn.sqlite'));
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    process.stderr.write('Waiting for another process to finish its build …\n');
    lock.exec(`PRAGMA busy_timeout = ${TURN_MAX_MS}; BEGIN EXCLUSIVE`);
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

/**
 * The path of a package's stamp, a file that is written after each successful build. A failed or killed build leaves no
 * stamp, so it does not count as a success.
 */
const stampOf = (folder: string) => join(builtFolder, folder.replace('/', '-'));

function isStale(folder: string, declarations: boolean): boolean {
  const one = packageAt(folder);
  const builtAt = Math.min(changedAt(stampOf(folder)), changedAt(join(root, folder, one.built)));
  if (builtAt === 0) return true;
  if (declarations && one.hasDeclarations && readFileSync(stampOf(folder), 'utf8') !== 'build') return true;
  // If a package that this package needs was built later, this package is stale.
  if (one.needs.some((needed) => changedAt(stampOf(needed)) > builtAt)) return true;
  return one.sources.some(
    (path) => changedAt(path.startsWith('/') ? join(root, path) : join(root, folder, path)) > builtAt,
  );
}

/**
 * Returns when a file, or anything in a folder, was last changed, in milliseconds since the epoch. Returns 0 if there
 * is no such file or folder.
 */
function changedAt(path: string): number {
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status) return 0;
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(status.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

/** Runs the build of one package, and shows its output only if it fails. */
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
