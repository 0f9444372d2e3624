import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /_control/reset', () => {
  test('refuses a seed with an id that the server also generates, and changes nothing', async () => {
    const repeated = { randomSeed: 7, startAt: Date.parse('2031-03-01T00:00:00Z'), seed: {} };
    const users = [{ email: 'a@b.test', name: 'A' }];
    await using first = await startApi(repeated);
    await first.call('POST', '/_control/reset', { body: { seed: { users } } });
    const { data } = (await first.call('GET', '/_control/users')).body;

    await using second = await startApi(repeated);
    const seed = { users: [...users, { id: data[0].id, email: 'b@b.test', name: 'B' }] };
    const { status, body } = await second.call('POST', '/_control/reset', { body: { seed } });
    expect(body).toEqual(
      failure('VALIDATION', 'The seed is not valid: an id, slug, email or credential in it is already in use.'),
    );
    expect(status).toBe(400);
    expect((await second.call('GET', '/_control/users')).body.data).toEqual([]);
  });

  test('deletes everything and applies the given seed', async () => {
    await using own = await startApi();
    await own.call('POST', '/_control/clock', { body: { advance: 'P1D' } });
    const reset = await own.call('POST', '/_control/reset', {
      body: {
        seed: {
          users: [{ email: 'a@b.test', name: 'A', tokens: [{ name: 'A' }] }],
          organizations: [
            { slug: 'solo', name: 'Solo', members: { 'a@b.test': 'Owner' }, workspaces: [{ slug: 'w', name: 'W' }] },
          ],
          eventTypes: [{ type: 'invoice.paid', category: 'Billing', description: 'Paid.' }],
        },
      },
    });
    expect(reset.body.credentials).toEqual([
      {
        kind: 'personal_access_token',
        name: 'A',
        credential: expect.stringMatching(/^svc_pat_test_/),
        workspaceId: null,
        role: 'Owner',
      },
    ]);
    const { credential } = reset.body.credentials[0];
    expect((await own.call('GET', '/v1/workspaces', { credential })).body.data).toHaveLength(1);
    expect((await own.call('GET', '/v1/me', { credential: demo.owner })).status).toBe(401);
    expect((await own.call('GET', '/_control/clock')).body.offsetMs).toBe(0);

    const again = await own.call('POST', '/_control/reset');
    expect(again.body.credentials.map((item: { credential: string }) => item.credential)).toContain(
      demo.production.key,
    );
  });

  test('refuses an invalid seed, and changes nothing', async () => {
    const key = { credential: demo.production.key };
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    await api.call('POST', '/_control/clock', { body: { advance: 'P1D' } });
    const clock = (await api.call('GET', '/_control/clock')).body;
    for (const seed of [
      { organisations: [] },
      { organizations: [{ slug: 'a', name: 'A', members: { 'no@one.test': 'Owner' } }] },
      { organizations: [{ slug: 'a', name: 'A', logo: 'javascript:alert(1)' }] },
      { users: [{ email: 'a@b.test', name: ' ' }] },
      'text',
    ]) {
      expect((await api.call('POST', '/_control/reset', { body: { seed } })).status).toBe(400);
    }
    const twice = { slug: 'a', name: 'A' };
    expect(
      (await api.call('POST', '/_control/reset', { body: { seed: { organizations: [twice, twice] } } })).status,
    ).toBe(400);
    expect((await api.call('GET', '/v1/me', key)).status).toBe(200);
    const { offsetMs: _, ...shown } = clock;
    expect((await api.call('GET', '/_control/clock')).body).toMatchObject(shown);
    await api.call('POST', '/_control/clock', { body: { reset: true } });
  });
});
