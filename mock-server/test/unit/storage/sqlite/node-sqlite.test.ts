import { run } from '@svc/testing';
import { expect, test } from 'vitest';

const load = (before: string) =>
  run(process.execPath, ['--input-type=module', '-e', `${before}; await import('@svc/mock-server/testing');`], {
    cwd: import.meta.dirname,
  });

test('an older Node, which has no SQLite, is named', async () => {
  expect(await load('')).toMatchObject({ status: 0, stderr: '' });
  const { status, stderr } = await load('process.getBuiltinModule = () => undefined');
  expect(status).toBe(1);
  expect(stderr).toMatch(/^Error: @svc\/mock-server requires Node 22\.19 or later; this is Node \d+/m);
});
