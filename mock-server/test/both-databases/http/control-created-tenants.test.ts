import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /_control/organizations, workspaces and users', () => {
  let taken = 0;
  const bodies = {
    organizations: (change: object) => ({ name: 'Bounds', ...change }),
    workspaces: (change: object) => ({ organizationId: demo.acmeId, name: 'Bounds', ...change }),
    users: (change: object) => ({ email: `bounds-${++taken}@x.test`, name: 'Bounds', ...change }),
  };
  const make = async (what: keyof typeof bodies, change: object) =>
    (await api.call('POST', `/_control/${what}`, { body: bodies[what](change) })).status;

  test.each([
    ['https://pictures.test/logo.svg', 201],
    ['http://localhost:3000/logo', 201],
    [null, 201],
    ['javascript:alert(1)', 400],
    ['data:image/png;base64,AA==', 400],
    ['mailto:a@b.test', 400],
    ['/logo.svg', 400],
    ['https:pictures.test', 400],
    ['https://pictures.test/a b', 400],
    ['', 400],
  ])('a picture at %j is answered with %i', async (address, status) => {
    expect(await make('organizations', { logo: address })).toBe(status);
    expect(await make('workspaces', { image: address })).toBe(status);
  });

  test.each([
    ['a', 201],
    ['😀'.repeat(120), 201],
    ['😀'.repeat(121), 400],
    ['  ', 400],
    ['', 400],
  ])('a user named %j is answered with %i', async (name, status) => {
    expect(await make('users', { name })).toBe(status);
  });
});
