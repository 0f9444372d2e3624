import { execFileSync } from 'node:child_process';
import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '@svc/testing';
import { afterAll, expect, test, vi } from 'vitest';
import { writeExport } from '../../../src/cli/export-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-export-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function* lines() {
  yield 'one\n';
  yield 'two\n';
}

test('An export replaces a file, and only its owner can read the new file', async () => {
  const file = join(folder, 'plain');
  writeFileSync(file, 'old', { mode: 0o644 });
  await writeExport(file, lines());
  expect([readFileSync(file, 'utf8'), lstatSync(file).mode & 0o777]).toEqual(['one\ntwo\n', 0o600]);
});

test('An export to a symbolic link replaces the file that the link leads to', async () => {
  const file = join(folder, 'target');
  const link = join(folder, 'link');
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  await writeExport(link, lines());
  expect([readFileSync(file, 'utf8'), lstatSync(link).isSymbolicLink()]).toEqual(['one\ntwo\n', true]);
});

test('An export to a pipe is written to the pipe', async () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const reading = run('cat', [pipe]);
  await writeExport(pipe, lines());
  expect([(await reading).stdout, lstatSync(pipe).isFIFO()]).toEqual(['one\ntwo\n', true]);
});

test('An export to a folder is refused before anything is written', async () => {
  const read = vi.fn(lines);
  await expect(writeExport(folder, { [Symbol.asyncIterator]: read })).rejects.toThrow(
    `Cannot write ${folder}: it is a folder. Pass a file name.`,
  );
  expect(read).not.toHaveBeenCalled();
});
