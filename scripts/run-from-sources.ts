import { ensureBuilt, NEEDED_BY_SOURCES } from './ensure-built.ts';

// In a clone of the repository, `mock-server/bin/svc-mock.js` loads this file instead of the build.

try {
  await ensureBuilt(NEEDED_BY_SOURCES);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
await import('../mock-server/src/main.ts');
