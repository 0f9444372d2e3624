import { ensureBuilt, NEEDED_BY_SOURCES } from './ensure-built.ts';

// Runs `svc-mock` from the sources. `mock-server/bin/svc-mock.js` loads this file in a clone of the repository. In the
// published package, `svc-mock.js` loads the build instead.

try {
  await ensureBuilt(NEEDED_BY_SOURCES);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
await import('../mock-server/src/main.ts');
