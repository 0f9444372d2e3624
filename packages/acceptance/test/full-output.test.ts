import { root, run } from '@svc/testing';
import { expect, test } from 'vitest';

/** Runs the built command in a shell, which opens `output` as standard output. */
const withOutput = (output: string, ...argv: string[]) =>
  run('bash', ['-c', `set -o pipefail; node mock-server/dist/main.js "$@" ${output}`, 'bash', ...argv], { cwd: root });

test.each([
  [['--help']],
  [['completion', 'bash']],
  [['doctor', '--json']],
  [['start', '--memory', '--port', '0']],
  [['start', '--memory', '--port', '0', '--json']],
])('svc-mock fails with one line if the disk of its standard output is full: %j', async (argv) => {
  const { status, stderr } = await withOutput('> /dev/full', ...argv);
  // With --json, the server also logs to standard error, in lines of JSON.
  const said = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"level":30'));
  expect([status, said]).toEqual([1, ['svc-mock: Cannot write to standard output: no space left on device.']]);
});

test('svc-mock does not fail if the program that reads its standard output stops', async () => {
  expect(await withOutput('| true', 'completion', 'bash')).toMatchObject({ status: 0, stderr: '' });
});
