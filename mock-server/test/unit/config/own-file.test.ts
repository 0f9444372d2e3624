import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/config/config.ts';
import { findMasterKey } from '../../../src/config/master-key.ts';
import { readRegularFile, writeOwnFile } from '../../../src/config/own-file.ts';
import { readSeedFile } from '../../../src/config/seed-file.ts';

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

describe('What is not a regular file is not read,', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // Without the check, a test would read this text. Without a program that writes, the test would hang.
  const writing = spawn('bash', ['-c', 'echo text > "$0"', pipe]);
  afterAll(() => void writing.kill('SIGKILL'));

  test.each([
    ['a pipe', pipe],
    ['a device', '/dev/null'],
    ['a folder', folder],
  ])('neither as the master key nor as a seed: %s', (_what, file) => {
    const link = join(folder, 'link');
    rmSync(link, { force: true });
    symlinkSync(file, link);
    expect(() => findMasterKey(undefined, link)).toThrow(
      new ConfigError(`Cannot read the master key from ${link}: it is not a regular file`),
    );
    expect(() => readSeedFile(file)).toThrow(
      new ConfigError(`Cannot read the seed file ${file}: it is not a regular file`),
    );
  });

  test('but a link to a file is, and the pipe of a shell', () => {
    const file = join(folder, 'file');
    writeFileSync(file, 'text');
    symlinkSync(file, join(folder, 'link-to-file'));
    expect(readRegularFile(join(folder, 'link-to-file'))).toBe('text');
    const script = `import { readRegularFile } from ${JSON.stringify(new URL('../../../src/config/own-file.ts', import.meta.url).href)};
      process.stdout.write(readRegularFile(process.argv[1]));`;
    const shell = 'exec "$0" --input-type=module -e "$1" <(echo text)';
    expect(execFileSync('bash', ['-c', shell, process.execPath, script], { encoding: 'utf8' })).toBe('text\n');
    // The program that wrote to a named pipe has ended, so nobody would answer if the pipe were opened again.
    const named = 'exec 3<> "$2"; echo text > "$2"; exec < "$2" 3>&-; exec "$0" --input-type=module -e "$1" /dev/stdin';
    const left = join(folder, 'left');
    execFileSync('mkfifo', [left]);
    const argv = ['-c', named, process.execPath, script, left];
    expect(execFileSync('bash', argv, { encoding: 'utf8', timeout: 20_000 })).toBe('text\n');
  });

  test('and standard input is, even if it is non-blocking and its writer comes later', async () => {
    const source = new URL('../../../src/config/own-file.ts', import.meta.url).href;
    // Node makes a pipe non-blocking when a module uses `process.stdin`.
    const script = `import { stdin } from 'node:process';
      import { readRegularFile } from ${JSON.stringify(source)};
      process.stderr.write('reading');
      process.stdout.write(String(stdin.fd === 0 && readRegularFile('/dev/stdin').length));`;
    const shell = 'cat | "$0" --input-type=module -e "$1"';
    const child = spawn('bash', ['-c', shell, process.execPath, script]);
    const output = text(child.stdout);
    const errors = text(child.stderr);
    await once(child.stderr, 'readable');
    // More than a pipe holds.
    child.stdin.end('x'.repeat(300_000));
    expect({ output: await output, errors: await errors }).toEqual({ output: '300000', errors: 'reading' });
  });
});
