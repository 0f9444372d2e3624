import type { Event } from '../../src/index.ts';
import { createMockTransport, fixtures, pages, rateLimited, refused, responded, silent } from '../../src/testing.ts';
import type { Equal, Expect } from './assert.ts';

const mock = createMockTransport();

// Answers of the right shape: directly, in pages, from an outcome or from a function.
mock.on('GET /v1/me', fixtures.identity(), rateLimited(1), refused('FORBIDDEN'), silent());
mock.on('GET /v1/workspaces/{workspaceId}', responded({ workspace: fixtures.workspace() }));
mock.on(
  'GET /v1/workspaces/{workspaceId}',
  responded({ workspace: fixtures.workspace() }, { headers: { etag: '"1"' } }),
);
mock.on('GET /v1/workspaces/{workspaceId}', responded('<p>', { status: 502 }));
mock.on('GET /v1/events', pages([fixtures.event()], [], [fixtures.event({ type: 'webhook.ping' })]));
mock.on('GET /v1/events', pages([]));
mock.on('GET /v1/events', () => pages([fixtures.event()]));
mock.on('GET /v1/events/{eventId}', ({ params }) => fixtures.event({ id: `evt_${params.eventId}` }));
mock.on('GET /v1/events/{eventId}', async () => rateLimited());
mock.on(
  'GET /v1/webhooks/event-types',
  responded({ data: [{ type: 'a', category: 'b', description: 'c' }], nextPageUrl: null, previousPageUrl: null }),
);

// Answers of another shape.
// @ts-expect-error: the response is { workspace }.
mock.on('GET /v1/workspaces/{workspaceId}', fixtures.workspace());
// @ts-expect-error: the response is { workspace }.
mock.on('GET /v1/workspaces/{workspaceId}', responded(fixtures.workspace()));
// @ts-expect-error: a name is a string.
mock.on('GET /v1/workspaces/{workspaceId}', responded({ workspace: { ...fixtures.workspace(), name: 7 } }));
// @ts-expect-error: pages of workspaces.
mock.on('GET /v1/events', pages([fixtures.workspace()]));
// @ts-expect-error: one page has workspaces.
mock.on('GET /v1/events', pages([fixtures.event()], [fixtures.workspace()]));
// @ts-expect-error: this route does not return pages.
mock.on('GET /v1/events/{eventId}', pages([fixtures.event()]));
// @ts-expect-error: an event is not a page.
mock.on('GET /v1/events', fixtures.event());
// @ts-expect-error: a function that returns another shape.
mock.on('GET /v1/events/{eventId}', () => ({ id: 'evt_1' }));
// @ts-expect-error: a function that returns pages of another shape.
mock.on('GET /v1/events', () => pages([fixtures.workspace()]));
// @ts-expect-error: the route has no such parameter.
mock.on('GET /v1/events/{eventId}', ({ params }) => fixtures.event({ id: `evt_${params.endpointId}` }));
// @ts-expect-error: no such route.
mock.on('GET /v1/event', fixtures.event());

// The body of a request has its route's type.
mock.on('PATCH /v1/workspaces/{workspaceId}', ({ json }) => {
  const { name } = json();
  const isText: string | undefined = name;
  return { workspace: fixtures.workspace({ name: isText ?? '' }) };
});

// The type of a fixture depends on its event type.
const evaluated = fixtures.event();
const ping = fixtures.event({ type: 'webhook.ping' });
const other = fixtures.event({ type: 'invoice.paid' });
export const handed: Event[] = [evaluated, ping];
export type Fixtures = [
  Expect<Equal<typeof evaluated.type, 'lifecycle.evaluated'>>,
  Expect<Equal<typeof ping.type, 'webhook.ping'>>,
  Expect<Equal<typeof other.type extends string ? true : false, true>>,
];
