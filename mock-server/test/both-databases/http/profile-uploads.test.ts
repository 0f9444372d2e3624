import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { BATCH_RECORDS } from '../../../src/lifecycle/import-profiles.ts';
import { startApi, type TestApi } from '../../support/api.ts';
import { makeWorkspace } from '../../support/http/workspace.ts';

const GIB = 1024 ** 3;
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

/** Starts an upload that announces 10 GiB of NDJSON. */
async function beginUpload(path: string) {
  const { hostname, port } = new URL(api.server.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(
    `PUT ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nContent-Type: application/x-ndjson\r\nContent-Length: ${10 * GIB}\r\n\r\n`,
  );
  return socket;
}

describe('An upload of profiles', () => {
  test('of 10 GiB that is cut off keeps the complete profiles and no half profile, and can be sent again', async () => {
    const { base, putLines, profiles } = await makeWorkspace(api);
    const socket = await beginUpload(`${base}/profiles`);
    const lines = Array.from({ length: 3 * BATCH_RECORDS + 7 }, (_, n) =>
      JSON.stringify({ externalId: `p${n}`, name: `P ${n}` }),
    );
    socket.write(`${lines.join('\n')}\n{"externalId":"half","na`);
    await vi.waitFor(async () => expect(await profiles(`?q=p${3 * BATCH_RECORDS - 1}`)).toHaveLength(1));
    // The unfinished batch is not stored yet: the rest of it may still arrive.
    expect(await profiles(`?q=p${3 * BATCH_RECORDS}`)).toEqual([]);
    socket.destroy();

    await vi.waitFor(async () => expect(await profiles(`?q=p${3 * BATCH_RECORDS + 6}`)).toHaveLength(1));
    expect(await profiles('?q=half')).toEqual([]);
    const again = await putLines([...lines, '{"externalId":"half","name":"Whole"}'].join('\n'));
    expect(again.body).toMatchObject({ created: 1, updated: 0, unchanged: lines.length, rejected: 0 });
    const { body } = await api.call('POST', `${base}/evaluate`);
    expect(body.evaluation.profiles).toBe(lines.length + 1);
  });

  test('with a line of 100 MB skips that line and imports the others', async () => {
    const { putLines, profiles } = await makeWorkspace(api);
    const long = `{"externalId":"long","name":"${'x'.repeat(100_000_000)}"}`;
    const { body } = await putLines(`{"externalId":"first"}\n${long}\n{"externalId":"last"}\n`);
    expect(body).toMatchObject({
      upserted: 2,
      rejected: 1,
      problems: [{ line: 2, message: 'The profile is longer than 1048576 bytes.' }],
    });
    expect((await profiles()).map(({ externalId }: { externalId: string }) => externalId)).toEqual(['last', 'first']);
  });
});
