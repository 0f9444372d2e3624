import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '@svc/testing';
import { expect, test, vi } from 'vitest';

const FULL = 'svc-mock: Cannot write to standard output: no space left on device.';

/** Runs the built command in a shell, which opens `output` as standard output. */
const withOutput = (output: string, ...argv: string[]) =>
  run('bash', ['-c', `set -o pipefail; node mock-server/dist/main.js "$@" ${output}`, 'bash', ...argv], { cwd: root });

test.each([[['--help']], [['completion', 'bash']], [['doctor', '--json']]])(
  'svc-mock fails with one line if the disk of its standard output is full: %j',
  async (argv) => {
    expect(await withOutput('> /dev/full', ...argv)).toMatchObject({ status: 1, stderr: `${FULL}\n` });
  },
);

test.each([[[]], [['--json']]])('a server says so once, works on, and stops as usual: %j', async (options) => {
  const full = openSync('/dev/full', 'w');
  const argv = [join(root, 'mock-server/dist/main.js'), 'start', '--memory', '--port', '0', ...options];
  const server = spawn(process.execPath, argv, { stdio: ['ignore', full, 'pipe'] });
  closeSync(full);
  let stderr = '';
  server.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  await vi.waitFor(() => expect(stderr).toContain(FULL));
  server.kill('SIGTERM');
  expect(await once(server, 'close')).toEqual([0, null]);
  // With --json, the server also logs to standard error, in lines of JSON.
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":30'));
  expect(said).toEqual([FULL]);
});

test('svc-mock does not fail if the program that reads its standard output stops', async () => {
  expect(await withOutput('| true', 'completion', 'bash')).toMatchObject({ status: 0, stderr: '' });
});
