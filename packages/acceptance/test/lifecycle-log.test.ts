import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '@svc/testing';
import { expect, test } from 'vitest';

test('the log reports each evaluation, and each data source that was read or could not be read', async () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-log-'));
  const location = join(folder.path, 'people.ndjson');
  writeFileSync(location, '{"externalId":"a"}\nnonsense\n');
  await using server = await startProcess(['--memory']);
  const { credentials, url } = server.ready;
  const id = credentials.find(({ kind }) => kind === 'api_key')?.workspaceId;
  const call = async (method: string, path: string, body: object = {}) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${url}/_control/workspaces/${id}/${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
    });
    expect(response.ok, await response.text()).toBe(true);
  };
  const lineOf = (message: string) =>
    server
      .stderr()
      .split('\n')
      .filter((line) => line.includes(`"${message}"`))
      .map((line) => JSON.parse(line))[0];

  await call('PUT', 'data-source', { kind: 'ndjson', location, schedule: null });
  await call('POST', 'data-source/sync');
  await server.said('read a data source');
  expect(lineOf('read a data source')).toMatchObject({ level: 30, workspaceId: id, upserted: 1, rejected: 1 });

  await call('PUT', 'data-source', { kind: 'ndjson', location: join(folder.path, 'none'), schedule: null });
  await call('POST', 'data-source/sync');
  await server.said('cannot read a data source');
  const error = expect.stringContaining('it does not exist');
  expect(lineOf('cannot read a data source')).toMatchObject({ level: 40, workspaceId: id, upserted: 0, error });

  await call('POST', 'evaluate');
  await server.said('evaluated a workspace');
  expect(lineOf('evaluated a workspace')).toMatchObject({
    level: 30,
    workspaceId: id,
    trigger: 'request',
    evaluationId: expect.stringMatching(/^evl_/),
    syncError: null,
    ms: expect.any(Number),
  });
});
