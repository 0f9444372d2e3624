import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const patch = (body: unknown) =>
  api.call('PATCH', `/v1/workspaces/${demo.production.id}`, { credential: demo.production.key, body });

describe('Workspaces', () => {
  test('GET returns the whole workspace', async () => {
    const answer = await api.call('GET', `/v1/workspaces/${demo.globex.id}`, { credential: demo.globex.key });
    expect(answer.body).toEqual({
      workspace: {
        id: demo.globex.id,
        name: 'Main',
        organizationId: 'org_01DEM000000000000000G10BEX',
        slug: 'main',
        timezone: null,
        weekStartsOn: null,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: expect.any(String),
      },
    });
  });

  test('PATCH changes the given fields, keeps the others, and returns the fields that can be changed', async () => {
    const answer = await patch({ name: '  New name ', weekStartsOn: 0, unknown: true });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        workspace: {
          id: demo.production.id,
          name: 'New name',
          slug: 'production',
          timezone: 'Europe/Berlin',
          weekStartsOn: 0,
        },
      },
    });
    expect(Object.keys(answer.body.workspace)).toEqual(['id', 'name', 'slug', 'timezone', 'weekStartsOn']);
    const reset = await patch({ timezone: null, weekStartsOn: null });
    expect(reset.body.workspace).toMatchObject({ timezone: null, weekStartsOn: null, name: 'New name' });
  });

  test('a slug conflicts with other workspaces of the same organization, but not of other organizations', async () => {
    expect(await patch({ slug: 'staging' })).toMatchObject({
      status: 409,
      body: failure('CONFLICT', expect.any(String)),
    });
    expect((await patch({ slug: 'main' })).status).toBe(200);
    expect((await patch({ slug: 'production' })).status).toBe(200);
  });

  test.each([
    [{ name: '' }],
    [{ name: 'a'.repeat(121) }],
    [{ name: null }],
    [{ slug: 'Not A Slug' }],
    [{ timezone: 'Mars/Olympus' }],
    [{ timezone: '+05:30' }],
    [{ timezone: '-0530' }],
    [{ timezone: 'PST' }],
    [{ weekStartsOn: 7 }],
    [{ weekStartsOn: '1' }],
    [[]],
    ['text'],
    [null],
  ])('PATCH %j is refused', async (body) => {
    expect(await patch(body)).toMatchObject({ status: 400, body: failure('VALIDATION', expect.any(String)) });
  });

  test('returns 415 for a body that is not JSON, 400 for broken JSON, and 413 for a body that is too large', async () => {
    const send = (rawBody: string | Uint8Array<ArrayBuffer>, contentType: string) =>
      api.call('PATCH', `/v1/workspaces/${demo.production.id}`, {
        credential: demo.production.key,
        headers: { 'content-type': contentType },
        rawBody,
      });
    expect((await send('name=x', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await send('{"name":', 'application/json')).status).toBe(400);
    expect((await send(new Uint8Array([0x22, 0xff, 0x22]), 'application/json')).status).toBe(400);
    expect((await send(`{"name":"${'a'.repeat(1024 * 1024)}"}`, 'application/json; charset=utf-8')).status).toBe(413);
    expect((await send('{"name":"Fine"}', 'application/json; charset=utf-8')).status).toBe(200);
  });
});
