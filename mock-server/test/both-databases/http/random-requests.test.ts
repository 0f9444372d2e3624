import { operations } from '@svc/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { failure, startApi, type TestApi } from '../../support/api.ts';
import { demo } from '../../support/demo.ts';
import { type Neighbour, settleNeighbour } from '../../support/http/neighbour.ts';

let api: TestApi;
let neighbour: Neighbour;
beforeAll(async () => {
  api = await startApi({ rateLimit: false });
  neighbour = await settleNeighbour(api);
});
afterAll(() => api[Symbol.asyncDispose]());

/** Creates resources, and returns ids and page tokens for the requests to use. */
async function subjects() {
  const { body } = await api.call('POST', '/v1/webhooks/endpoints', {
    credential: demo.production.key,
    body: { url: 'http://127.0.0.1:9/hook', subscribedEvents: ['*'] },
  });
  const caused = await api.call('POST', '/_control/events', {
    body: { workspaceId: demo.production.id, type: 'lifecycle.evaluated' },
  });
  const pageOf = async (credential: string) =>
    new URL((await api.call('GET', '/v1/webhooks/event-types?limit=1', { credential })).body.nextPageUrl).searchParams;
  return {
    ids: [body.endpoint.id, caused.body.event.id, caused.body.deliveries[0].id, demo.production.id, demo.staging.id],
    tokens: [(await pageOf(demo.production.key)).get('page'), (await pageOf(demo.globex.key)).get('page')].map(String),
  };
}

test("random requests never return a 5xx, hang, use an undocumented envelope or show a neighbour's data", {
  timeout: 1_800_000,
}, async () => {
  const { ids, tokens } = await subjects();
  const anyId = fc.oneof(
    fc.constantFrom(...ids),
    fc.constantFrom(neighbour.endpointId, neighbour.deliveryId, neighbour.eventId, demo.globex.id),
    fc.constantFrom('x', '..', '%2e%2e', 'whe_', `whe_${'0'.repeat(26)}`),
    fc.string(),
  );
  const path = fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(fc.constantFrom(...Object.values(operations)), anyId)
        .map(([operation, id]) => operation.path.replace(/\{\w+\}/, () => encodeURIComponent(id.toWellFormed()))),
    },
    { weight: 1, arbitrary: fc.webPath().map((rest) => `/v1${rest}`) },
  );
  const name = fc.constantFrom(
    ...['limit', 'page', 'expand', 'q', 'type', 'status', 'eventType', 'createdFrom', 'createdTo'],
    ...['endpointId', 'subjectId', 'subjectType'],
  );
  const value = fc.oneof(
    anyId,
    fc.constantFrom(...tokens),
    fc.constantFrom('*', 'lifecycle.*', 'pending', '2026-01-01T00:00:00Z', 'workspaces', 'webhook_endpoint'),
    fc.string({ unit: 'binary' }),
    fc.nat(200).map(String),
  );
  const endpointBody = fc.record(
    {
      url: fc.oneof(fc.webUrl(), fc.constant('http://127.0.0.1:9/hook'), fc.string()),
      subscribedEvents: fc.array(fc.oneof(fc.constantFrom('*', 'lifecycle.*', 'webhook.ping'), fc.string())),
      description: fc.option(fc.string({ unit: 'binary' })),
      active: fc.boolean(),
    },
    { requiredKeys: [] },
  );
  const workspaceBody = fc.record(
    {
      name: fc.string(),
      slug: fc.string(),
      timezone: fc.option(fc.constantFrom('Europe/Berlin', 'Mars/Olympus')),
      weekStartsOn: fc.option(fc.integer({ min: -1, max: 7 })),
    },
    { requiredKeys: [] },
  );
  const request = fc.record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'),
    path,
    query: fc.array(fc.tuple(name, value), { maxLength: 4 }),
    credential: fc.constantFrom(demo.production.key, demo.owner, demo.viewer, demo.admin, 'svc_sk_test_unknown'),
    workspaceId: fc.option(fc.constantFrom<string>(demo.production.id, demo.staging.id, demo.globex.id, 'x'), {
      nil: undefined,
    }),
    body: fc.option(fc.oneof(endpointBody, workspaceBody, fc.jsonValue()), { nil: undefined }),
  });

  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(request, async ({ method, path, query, body, credential, workspaceId }) => {
      const search = new URLSearchParams(query.map(([key, text]): [string, string] => [key, text.toWellFormed()]));
      const target = `${path}?${search}`;
      const answer = await api.call(method, target, {
        credential,
        ...(workspaceId !== undefined && { workspaceId }),
        ...(method !== 'GET' && method !== 'HEAD' && body !== undefined && { body }),
      });
      statuses.add(answer.status);
      expect(answer.status).toBeLessThan(500);
      if (answer.status >= 400 && method !== 'HEAD')
        expect(answer.body).toEqual(failure(expect.stringMatching(/^[A-Z_]+$/) as never, expect.any(String)));
      // A message or a page URL may repeat what the request contained.
      const asked = `${decodeURIComponent(target.replaceAll('+', ' '))}${workspaceId}`.toLowerCase();
      const answered = JSON.stringify(answer.body ?? null).toLowerCase();
      for (const mark of neighbour.marks) {
        if (!asked.includes(mark.toLowerCase())) expect(answered).not.toContain(mark.toLowerCase());
      }
    }),
    {
      numRuns: Number(process.env['SVC_TEST_CASES'] ?? 800),
      interruptAfterTimeLimit: 1_700_000,
      markInterruptAsFailure: true,
    },
  );
  // A run with only refusals would prove little.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 403, 404, 405]));
});
