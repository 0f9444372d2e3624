import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createControlClient } from '../../src/control-client/client.ts';
import { startServer } from '../../src/index.ts';
import { demo } from '../support/demo.ts';

const start = (dataDir: string) => startServer({ port: 0, dataDir, logLevel: 'silent' });

test('the secret of svc-mock listen is the same after a restart, and another one on other data', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-listen-secret-'));
  const read = async (name: string) => {
    await using server = await start(join(folder.path, name));
    const control = createControlClient({ baseUrl: server.url });
    return (await control.readListenSecret({ workspaceId: demo.production.id })).secret;
  };
  const first = await read('one');
  expect(first).toMatch(/^whsec_/);
  expect(await read('one')).toBe(first);
  expect(await read('other')).not.toBe(first);
});

test('an unknown workspace or endpoint has none', async () => {
  await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
  const control = createControlClient({ baseUrl: server.url });
  const error = { status: 404, code: 'NOT_FOUND' };
  await expect(control.readListenSecret({ workspaceId: 'wsp_none' })).rejects.toMatchObject(error);
  await expect(control.useListenSecret({ endpointId: 'whe_none' })).rejects.toMatchObject(error);
});
