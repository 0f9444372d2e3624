import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs before `npm start` and `npm test`: builds what is not built yet, or is older than its sources, of the packages that
// are named on the command line (all where none is). What it says goes to standard error, because standard output
// belongs to the ready line.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const packages =
  process.argv.length > 2 ? process.argv.slice(2) : ['packages/client', 'packages/webhooks', 'mock-server'];
const sharedSources = ['packages/contract/src', 'package-lock.json', 'tsconfig.base.json'];

/** What else goes into the libraries: examples and guides. */
const librarySources = ['build', 'docs/guides'];

/** The latest change of a file, or below a folder, in milliseconds since the epoch; 0 where there is none. */
function changedAt(path: string): number {
  if (!existsSync(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function isStale(folder: string): boolean {
  const builtAt = changedAt(join(root, folder, 'dist/index.js'));
  const own = ['src', 'package.json', 'tsup.config.ts'].map((name) => join(folder, name));
  const shared = folder === 'mock-server' ? sharedSources : [...sharedSources, ...librarySources];
  return [...own, ...shared].some((path) => changedAt(join(root, path)) > builtAt);
}

const stale = packages.filter(isStale);
if (stale.length > 0) {
  process.stderr.write(`Building ${stale.join(', ')} …\n`);
  const workspaces = stale.flatMap((folder) => ['--workspace', folder]);
  const { status } = spawnSync('npm', ['run', 'build', '--silent', ...workspaces], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    process.stderr.write('The build failed; see above.\n');
    process.exitCode = 1;
  }
}
