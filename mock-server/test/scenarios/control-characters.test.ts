import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const REASON = 'must not contain control characters or line breaks.';
const credential = demo.production.key;
const hook = { url: 'https://receiver.example/hook', subscribedEvents: ['*'] };
const organization = { slug: 'named', workspaces: [] };
const seedWith = (seed: object) => ({ seed: { organizations: [], ...seed } });

/** Every request that names something, with the field that holds the text. */
const named: [what: string, method: string, path: string, body: (text: string) => object, field: string][] = [
  ['a workspace (PATCH)', 'PATCH', `/v1/workspaces/${demo.production.id}`, (name) => ({ name }), 'name'],
  ['an endpoint', 'POST', '/v1/webhooks/endpoints', (description) => ({ ...hook, description }), 'description'],
  ["an endpoint's version", 'POST', '/v1/webhooks/endpoints', (apiVersion) => ({ ...hook, apiVersion }), 'apiVersion'],
  ['an organization', 'POST', '/_control/organizations', (name) => ({ name }), 'name'],
  [
    'a workspace',
    'POST',
    '/_control/workspaces',
    (name) => ({ organizationId: demo.acmeId, name, slug: `s${crypto.randomUUID()}` }),
    'name',
  ],
  ['a user', 'POST', '/_control/users', (name) => ({ email: `${crypto.randomUUID()}@x.test`, name }), 'name'],
  [
    'a credential',
    'POST',
    '/_control/credentials',
    (name) => ({ kind: 'api_key', workspaceId: demo.production.id, name }),
    'name',
  ],
];

describe('A control character is refused in the name of', () => {
  test.each(named)('%s', async (_what, method, path, body, field) => {
    for (const text of [
      'two\nlines',
      'a\ttab',
      'an escape \u001b[31m',
      'a C1 \u009b31m',
      'delete \u007f',
      'U+2028 \u2028.',
    ]) {
      expect(await api.call(method, path, { credential, body: body(text) })).toMatchObject({
        status: 400,
        body: failure('VALIDATION', expect.stringContaining(`"${field}" ${REASON}`)),
      });
    }
    const accepted = await api.call(method, path, { credential, body: body('Grüße 😀 & more') });
    expect([200, 201]).toContain(accepted.status);
  });

  test.each([
    ['an organization', { organizations: [{ ...organization, name: 'a\nb' }] }],
    ['a user', { users: [{ email: 'a@x.test', name: 'a\u0007b' }] }],
    ['a token', { users: [{ email: 'a@x.test', name: 'a', tokens: [{ name: 'a\nb' }] }] }],
    ['an event type', { eventTypes: [{ type: 'invoice.paid', category: 'a\nb', description: 'c' }] }],
    [
      'an event type, in its description',
      { eventTypes: [{ type: 'invoice.paid', category: 'a', description: 'b\u001b' }] },
    ],
  ])('%s in a seed', async (_what, seed) => {
    expect(await api.call('POST', '/_control/reset', { body: seedWith(seed) })).toMatchObject({
      status: 400,
      body: failure('VALIDATION', expect.stringContaining(REASON)),
    });
  });

  test('a profile, which is not imported; the others are', async () => {
    const body = [
      { externalId: 'a', name: 'a\nb' },
      { externalId: 'b', email: 'a\u001b@x.test' },
      { externalId: 'c\r' },
      { externalId: 'd', name: 'Grüße' },
    ];
    const answer = await api.call('PUT', `/_control/workspaces/${demo.production.id}/profiles`, { body });
    expect(answer.body).toMatchObject({
      upserted: 1,
      rejected: 3,
      problems: [
        { line: 1, message: `"name" ${REASON}` },
        { line: 2, message: `"email" ${REASON}` },
        { line: 3, message: `"externalId" ${REASON}` },
      ],
    });
  });
});

test('white space at the ends of a name is removed first', async () => {
  const answer = await api.call('POST', '/_control/organizations', { body: { name: ' \n Acme \t' } });
  expect(answer).toMatchObject({ status: 201, body: { organization: { name: 'Acme' } } });
});
