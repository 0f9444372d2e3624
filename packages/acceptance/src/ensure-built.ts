import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs before `npm start` and `npm test`. Builds the packages on the command line (default: all) that are not built yet
// or are older than their sources. It writes to standard error, because standard output belongs to the ready line.

const root = fileURLToPath(new URL('../../..', import.meta.url));
const packages =
  process.argv.length > 2
    ? process.argv.slice(2)
    : ['packages/client', 'packages/webhooks', 'packages/dashboard', 'mock-server'];
const sharedSources = ['packages/contract/src', 'package-lock.json', 'tsconfig.base.json'];

/**
 * Further sources of builds: examples and guides for each published package, the libraries for the dashboard, the
 * dashboard for the server.
 */
const documents = ['build', 'docs/guides'];
const MORE_SOURCES: Readonly<Record<string, readonly string[]>> = {
  'packages/client': documents,
  'packages/webhooks': documents,
  'packages/dashboard': ['packages/dashboard/build', 'packages/client/src', 'packages/webhooks/src'],
  'mock-server': [
    ...documents,
    ...['src', 'build', 'index.html', 'docs.html'].map((name) => join('packages/dashboard', name)),
  ],
};

/** The latest change of a file or in a folder, in milliseconds since the epoch. 0 if it does not exist. */
function changedAt(path: string): number {
  if (!existsSync(path)) return 0;
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

function isStale(folder: string): boolean {
  const built = folder === 'packages/dashboard' ? 'dist/index.html' : 'dist/index.js';
  const builtAt = changedAt(join(root, folder, built));
  const own = ['src', 'index.html', 'docs.html', 'package.json', 'tsup.config.ts', 'vite.config.ts'].map((name) =>
    join(folder, name),
  );
  const sources = [...own, ...(MORE_SOURCES[folder] ?? []), ...sharedSources];
  return sources.some((path) => changedAt(join(root, path)) > builtAt);
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
