import { randomBytes } from 'node:crypto';
import { EVENT_CATALOG } from '@svc/contract';
import { isKnownEvent } from '@svc/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
});
afterAll(() => api[Symbol.asyncDispose]());

const workspaceId = demo.production.id;
const workspace = { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` };
const endpoint = { id: 'whe_1', type: 'webhook_endpoint', url: '/v1/webhooks/endpoints/whe_1' };
const invoice = { id: 'inv_1', type: 'invoice', url: '/v1/invoices/inv_1' };

const EVALUATED = 'lifecycle.evaluated';
const DISABLED = 'webhook.endpoint.auto_disabled';
const PING = 'webhook.ping';
const EXAMPLE = '{ "id": "whe_…", "type": "webhook_endpoint", "url": "/v1/webhooks/endpoints/whe_…" }';
const NOT_A_WORKSPACE =
  '"subject" of lifecycle.evaluated must be a workspace, such as { "id": "wsp_…", "type": "workspace", "url": "/v1/workspaces/wsp_…" }.';
const NOT_AN_ENDPOINT = `"subject" of webhook.endpoint.auto_disabled must be an endpoint, such as ${EXAMPLE}.`;
const NO_ENDPOINT = `is missing; for webhook.endpoint.auto_disabled it must be an endpoint, such as ${EXAMPLE}.`;

const trigger = (body: unknown, to = api) => to.call('POST', '/_control/events', { body });

describe('A triggered event has the subject that its type promises', () => {
  const accepted = [
    [EVALUATED, undefined, workspace],
    [EVALUATED, workspace, workspace],
    [DISABLED, endpoint, endpoint],
    [PING, undefined, undefined],
  ] as const;

  test.each(accepted)('%s with the subject %j', async (type, subject, expected) => {
    const { status, body } = await trigger({ workspaceId, type, subject });
    expect(status).toBe(201);
    expect(body.event.subject).toEqual(expected);
    expect(isKnownEvent(body.event)).toBe(true);
  });

  test('for each type of the catalog', () => {
    expect([...new Set(accepted.map(([type]) => type))].sort()).toEqual(EVENT_CATALOG.map(({ type }) => type).sort());
  });

  test.each([
    [EVALUATED, endpoint, NOT_A_WORKSPACE],
    [EVALUATED, { ...workspace, id: endpoint.id }, NOT_A_WORKSPACE],
    [DISABLED, undefined, `"subject" ${NO_ENDPOINT}`],
    [DISABLED, workspace, NOT_AN_ENDPOINT],
    [DISABLED, { ...endpoint, id: workspaceId }, NOT_AN_ENDPOINT],
    [PING, workspace, '"subject" must be omitted: webhook.ping has no subject.'],
  ])('%s with the subject %j is refused', async (type, subject, problem) => {
    const { status, body } = await trigger({ workspaceId, type, subject });
    expect(body).toEqual(failure('VALIDATION', `Invalid body: ${problem}`));
    expect(status).toBe(400);
  });

  test('or the error names the wrong one of several events, and none is stored', async () => {
    const as = { credential: demo.globex.key };
    const good = { workspaceId: demo.globex.id, type: EVALUATED };
    const { status, body } = await trigger({ events: [good, { ...good, type: DISABLED }] });
    expect(body).toEqual(failure('VALIDATION', `Invalid body: "events.1.subject" ${NO_ENDPOINT}`));
    expect(status).toBe(400);
    expect((await api.call('GET', '/v1/events', as)).body.data).toEqual([]);
  });
});

test('an event of a type that a seed adds may have any subject, or none', async () => {
  await using own = await startApi();
  const seed = {
    organizations: [{ slug: 'solo', name: 'Solo', workspaces: [{ slug: 'w', name: 'W', apiKeys: [{}] }] }],
    eventTypes: [{ type: 'invoice.paid', category: 'Billing', description: 'Paid.' }],
  };
  const { body } = await own.call('POST', '/_control/reset', { body: { seed } });
  const [{ workspaceId }] = body.credentials;
  const longType = { ...invoice, type: randomBytes(3_000).toString('hex') };
  for (const subject of [undefined, invoice, endpoint, longType]) {
    const { status, body } = await trigger({ workspaceId, type: 'invoice.paid', subject }, own);
    expect(status).toBe(201);
    expect(body.event.subject).toEqual(subject);
  }
});

test('a subject may have a long id, and the filters compare all of their characters', async () => {
  // PostgreSQL could store repetitive text in a row of an index, because it compresses the text.
  const random = randomBytes(3_000).toString('hex');
  const id = `whe_€${random}`;
  const filtered = async (filter: Record<string, string>) => {
    const { status, body } = await api.call('GET', `/v1/events?${new URLSearchParams(filter)}`, as);
    expect(status).toBe(200);
    return body.data.map((event: { subject: { id: string } }) => event.subject.id);
  };
  const as = { credential: demo.production.key };
  for (const one of [id, `${id}2`, id.slice(0, 250), id.slice(0, 249)]) {
    expect((await trigger({ workspaceId, type: DISABLED, subject: { ...endpoint, id: one } })).status).toBe(201);
  }
  expect(await filtered({ subjectId: id })).toEqual([id]);
  expect(await filtered({ subjectId: `${id}2`, subjectType: endpoint.type })).toEqual([`${id}2`]);
  expect(await filtered({ subjectId: id.slice(0, 250) })).toEqual([id.slice(0, 250)]);
  expect(await filtered({ subjectId: id.slice(0, 249) })).toEqual([id.slice(0, 249)]);
  expect(await filtered({ subjectId: `${id}3` })).toEqual([]);
});

test('a subject has at most 64 KiB of JSON in UTF-8', async () => {
  // Each of these characters takes three bytes.
  const subjectOf = (characters: number, rest: string) => {
    const subject = { ...workspace, url: `/v1/${'€'.repeat(characters)}${rest}` };
    return [subject, Buffer.byteLength(JSON.stringify(subject))] as const;
  };
  const [, shortBytes] = subjectOf(21_000, '');
  const [largest, bytes] = subjectOf(21_000, 'a'.repeat(65_536 - shortBytes));
  expect(bytes).toBe(65_536);
  const { status, body } = await trigger({ workspaceId, type: EVALUATED, subject: largest });
  expect(body.event.subject).toEqual(largest);
  expect(status).toBe(201);

  const tooLarge = { ...largest, url: `${largest.url}a` };
  for (const [path, given] of [
    ['subject', { workspaceId, type: EVALUATED, subject: tooLarge }],
    ['events.0.subject', { events: [{ workspaceId, type: EVALUATED, subject: tooLarge }] }],
  ] as const) {
    const refused = await trigger(given);
    expect(refused.body).toEqual(
      failure('VALIDATION', `Invalid body: "${path}" must be at most 64 KiB of JSON; this subject has 65,537 bytes.`),
    );
    expect(refused.status).toBe(400);
  }
});
