import pg from 'pg';
import { expect, test } from 'vitest';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { demo } from '../support/demo.ts';

test.each(['{"frozenAt":1e400}', '{"frozenAt":null,"offsetMs":31536000000}'])(
  'A message about the clock that no server sent changes nothing: %s',
  async (state) => {
    await using database = await createTestDatabase();
    await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    const client = new pg.Client(database.url);
    await client.connect();
    await client.query('listen svc_mock');
    const answered = new Promise<string>((resolve) => {
      client.on('notification', ({ payload = '' }) => payload.startsWith('done forger') && resolve(payload));
    });
    await client.query('select pg_notify($1, $2)', ['svc_mock', `tell forger clock 1 ${state}`]);
    await answered;
    const { status, body } = await api.call('POST', '/v1/webhooks/endpoints', {
      credential: demo.production.key,
      body: { url: 'https://receiver.example', subscribedEvents: ['*'] },
    });
    await client.end();
    expect(status).toBe(201);
    expect(Math.abs(Date.parse(body.endpoint.createdAt) - Date.now())).toBeLessThan(60_000);
  },
);
