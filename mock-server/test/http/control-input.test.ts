import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../api.ts';
import { demo } from '../demo.ts';

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
    ['settle', { timeoutMs: 1.5 }, '"timeoutMs" must be a whole number.'],
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
      'it must be { "workspaceId", "type", "subject"? }, or { "events": [ … ] } with 1 to 10,000 of them.',
    ],
    ['faults', { effect: {} }, '"target" is missing; it must be one of api, delivery.'],
    ['faults', { ...fault, probability: 0 }, '"probability" must be more than 0.'],
    ['faults', { ...fault, times: 1.5 }, '"times" must be a whole number.'],
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
