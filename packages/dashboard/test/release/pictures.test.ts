import { execFile } from 'node:child_process';
import { mkdtempDisposableSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { executablePath } from '@svc/testing/browser';
import { expect, test } from 'vitest';

const script = join(import.meta.dirname, '../../build/pictures.ts');
const kept = join(import.meta.dirname, '../../../../docs/pictures');
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

test.skipIf(!executablePath)('the screenshots of the README and the guides can be regenerated', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-pictures-'));
  await promisify(execFile)(process.execPath, [script, folder.path]);
  const taken = readdirSync(folder.path);
  expect(taken.sort()).toEqual(
    readdirSync(kept)
      .filter((name) => name.endsWith('.png'))
      .sort(),
  );
  for (const name of taken) {
    const bytes = readFileSync(join(folder.path, name));
    expect(bytes.subarray(0, 4).equals(PNG)).toBe(true);
    expect(bytes.readUInt32BE(16)).toBe(1280);
  }
});
