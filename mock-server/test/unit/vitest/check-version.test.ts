import { expect, test } from 'vitest';
import { checkVitestVersion } from '../../../src/vitest/check-version.ts';

test.each(['3.2.0', '3.10.1', '4.0.0-beta.1', '5.1.0'])('Vitest %s is accepted', (version) => {
  expect(() => checkVitestVersion(version)).not.toThrow();
});

test.each(['0.34.6', '2.1.9', '3.1.4'])('Vitest %s is refused with what to do', (version) => {
  expect(() => checkVitestVersion(version)).toThrow(
    `@svc/mock-server/vitest requires Vitest 3.2 or later; this project has ${version}. Update Vitest, or use startMockService()`,
  );
});
