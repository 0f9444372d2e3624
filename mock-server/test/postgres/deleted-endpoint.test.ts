import { expect, test } from 'vitest';
import { connectPostgres } from '../../src/storage/postgres/open.ts';
import { deleteEndpoint } from '../../src/storage/statements/endpoints.ts';
import { startApi, TEST_MASTER_KEY } from '../support/api.ts';
import { createTestDatabase } from '../support/database.ts';
import { demo } from '../support/demo.ts';
import { holdOpen, untilBlocked } from './support/held-open.ts';

const as = { credential: demo.production.key };

test.each([
  ['POST', (id: string) => `/v1/webhooks/endpoints/${id}/rotate-secret`],
  ['PUT', (id: string) => `/_control/endpoints/${id}/listen-secret`],
])(
  'a new secret while the endpoint is being deleted is 404, unless the endpoint stays: %s %s',
  async (method, pathOf) => {
    await using database = await createTestDatabase();
    await using api = await startApi({ databaseUrl: database.url, masterKey: TEST_MASTER_KEY });
    await using storage = connectPostgres(database.url, 'engine');
    const body = { url: 'https://receiver.test/', subscribedEvents: ['*'] };
    const { id } = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body.endpoint;
    const deletion = () => holdOpen(storage, (queries) => deleteEndpoint(queries, demo.production.id, id));
    const change = () => api.call(method, pathOf(id), as);

    await using rolledBack = await deletion();
    const succeeds = change();
    await untilBlocked(storage);
    await rolledBack.rollBack();
    expect((await succeeds).status).toBe(200);

    await using committed = await deletion();
    const fails = change();
    await untilBlocked(storage);
    await committed.commit();
    expect(await fails).toMatchObject({ status: 404, body: { error: { code: 'NOT_FOUND' } } });
  },
);
