import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeOwnFile } from '../../../src/config/own-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-own-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('A file for its owner gets the mode 0600 and the whole text, even if the file existed', () => {
  const file = join(folder, 'secret');
  writeFileSync(file, 'a longer text than the next one', { mode: 0o644 });
  writeOwnFile(file, 'secret');
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['secret', 0o600]);
});

test('A device keeps its permissions, and a full disk is an error', () => {
  const before = statSync('/dev/full').mode;
  expect(() => writeOwnFile('/dev/full', 'secret')).toThrow('ENOSPC');
  expect(statSync('/dev/full').mode).toBe(before);
});
