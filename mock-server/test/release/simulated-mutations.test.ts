import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { MUTATIONS } from '../simulate/mutations.ts';
import { onPostgres } from '../support/database.ts';

const fileOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// The simulator has a database of its own.
describe.skipIf(onPostgres)('The simulator', () => {
  test.each(Object.entries(MUTATIONS))(
    'finds within 2,000 seeds that %s',
    { timeout: 600_000 },
    (name, { faults, from = 1 }) => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [
          '--import',
          fileOf('../simulate/mutate.ts'),
          fileOf('../../simulate/main.ts'),
          ...['--from', String(from), '--seeds', '2000', '--stop', ...(faults ? ['--faults', faults.join(',')] : [])],
        ],
        { encoding: 'utf8', env: { ...process.env, SVC_MUTATION: name } },
      );
      expect(stderr).toBe('');
      // A change that only crashes would be found for another reason.
      expect(stdout).not.toMatch(/seed \d+: .*(Type|Reference|Syntax)Error/);
      expect(stdout).toMatch(/seed \d+: .+\n {2}again: npm run simulate -- --seed/);
      expect(status).toBe(1);
    },
  );
});
