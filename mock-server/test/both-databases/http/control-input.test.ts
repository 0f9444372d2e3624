import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api[Symbol.asyncDispose]());

const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
const fault = { target: 'api', effect: { status: 503 } };

describe('A refused control call names the field and says what it must be', () => {
  test.each([
    ['organizations', {}, '"name" is missing; it must be a string.'],
    ['organizations', { name: 'A', slug: '' }, '"slug" must have at least 1 character.'],
    ['organizations', [], 'it must be an object.'],
    ['users', { email: 'nobody', name: 'A' }, '"email" must be an email address.'],
    [
      'users',
      { email: `${'a'.repeat(64)}@${'b.'.repeat(100)}co`, name: 'A' },
      '"email" must have at most 254 characters.',
    ],
    ['credentials', {}, '"kind" is missing; it must be one of api_key, personal_access_token.'],
    ['credentials', { kind: 'password' }, '"kind" must be one of api_key, personal_access_token.'],
    [
      'credentials',
      { kind: 'api_key', workspaceId: demo.production.id, name: 'n'.repeat(100_000) },
      '"name" must have 1 to 120 characters.',
    ],
    ['clock', { freeze: false }, '"freeze" must be true.'],
    [
      'clock',
      { set: '2031-03-01' },
      '"set" must be an ISO 8601 instant with Z or an offset, such as 2031-03-01T00:00:00Z.',
    ],
    ['settle', { timeoutMs: 1.5 }, '"timeoutMs" must be an integer.'],
    ['settle', { timeout: 5 }, 'it has unknown fields: timeout.'],
    ['events', { workspaceId: event.workspaceId }, '"type" is missing; it must be a string.'],
    ['events', { ...event, subject: 'x' }, '"subject" must be an object.'],
    ['events', { ...event, extra: 1 }, 'it has unknown fields: extra.'],
    ['events', { events: {} }, '"events" must be an array.'],
    ['events', { events: [] }, '"events" must have at least 1 entry.'],
    ['events', { events: [event, { type: event.type }] }, '"events.1.workspaceId" is missing; it must be a string.'],
    ['events', { events: Array(10_001).fill(event) }, '"events" must have at most 10000 entries.'],
    [
      'events',
      {},
      'it must be { "workspaceId", "type", "subject"? }, or { "events": [ … ] } with 1 to 10,000 such objects.',
    ],
    ['faults', { effect: {} }, '"target" is missing; it must be one of api, delivery.'],
    ['faults', { ...fault, probability: 0 }, '"probability" must be more than 0.'],
    ['faults', { ...fault, times: 1.5 }, '"times" must be an integer.'],
    ['faults', { ...fault, effect: { delayMs: -1 } }, '"effect.delayMs" must be at least 0.'],
    ['faults', { ...fault, effect: { duplicate: true } }, '"effect" has unknown fields: duplicate.'],
  ])('POST /_control/%s %j', async (path, body, problem) => {
    const { status, body: answer } = await api.call('POST', `/_control/${path}`, { body });
    expect(answer).toEqual(failure('VALIDATION', `Invalid body: ${problem}`));
    expect(status).toBe(400);
  });

  test.each([
    [[], 'it must be an object.'],
    [{ users: 'x' }, '"users" must be an array.'],
    [{ organizations: [{ name: 'A' }] }, '"organizations.0.slug" is missing; it must be a string.'],
    [{ organisations: [] }, 'it has unknown fields: organisations.'],
  ])('POST /_control/reset with the seed %j', async (seed, problem) => {
    const { status, body } = await api.call('POST', '/_control/reset', { body: { seed } });
    expect(body).toEqual(failure('VALIDATION', `The seed is not valid: ${problem}`));
    expect(status).toBe(400);
  });
});

describe('The query of a control call', () => {
  test.each([
    ['GET', 'clock?pageSize=5', 'it has unknown parameters: pageSize.'],
    ['GET', 'users?limit=5&nmae=ada&x=1', 'it has unknown parameters: nmae, x.'],
    ['GET', 'faults?__proto__=1', 'it has unknown parameters: __proto__.'],
    ['POST', 'settle?timeoutMs=5', 'it has unknown parameters: timeoutMs.'],
    ['DELETE', 'faults?target=api', 'it has unknown parameters: target.'],
    ['GET', `clock?svc_sk_test_x=1`, 'it has unknown parameters: svc_%5Bredacted%5D.'],
    ['GET', 'users?limit=1&limit=2', '"limit" is given twice.'],
    ['GET', 'users?limit=1&limit=1', '"limit" is given twice.'],
    ['GET', 'clock?a=1&a=2', '"a" is given twice.'],
    ['POST', 'reset?a=1&a=1', '"a" is given twice.'],
    ['GET', 'users?limit=0', '"limit" must be at least 1.'],
  ])('%s /_control/%s is refused', async (method, path, problem) => {
    expect(await api.call(method, `/_control/${path}`)).toMatchObject({
      status: 400,
      body: failure('VALIDATION', `Invalid query: ${problem}`),
    });
  });

  test('that is refused changes nothing', async () => {
    await api.call('POST', '/_control/faults', { body: fault });
    expect((await api.call('DELETE', '/_control/faults?target=api')).status).toBe(400);
    expect((await api.call('GET', '/_control/faults')).body.faults).toHaveLength(1);
    expect((await api.call('DELETE', '/_control/faults')).status).toBe(200);
    expect((await api.call('GET', '/_control/users?limit=1&q=ada')).status).toBe(200);
  });
});
