import { createRequire } from 'node:module';

/** The first version of Vitest with fixtures that live as long as a worker. */
const OLDEST = [3, 2] as const;

/**
 * Throws if Vitest is too old. With a version range in `peerDependencies`, npm would refuse to install the package in a
 * project with an older Vitest, even if the project never imports this entry point.
 */
export function checkVitestVersion(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) return;
  throw new Error(
    `@svc/mock-server/vitest requires Vitest ${OLDEST.join('.')} or later; this project has ${version}. ` +
      'Update Vitest, or use startMockService() from @svc/mock-server/testing.',
  );
}

const { version } = createRequire(import.meta.url)('vitest/package.json') as { version: string };
checkVitestVersion(version);
