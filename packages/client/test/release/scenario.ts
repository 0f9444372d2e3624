import { createClient, isApiError, NetworkError, type WebhookDeliveryId } from '@svc/client';
import { schemas } from '@svc/client/schemas';
import { createMockTransport, cutOff, fixtures, rateLimited, silent } from '@svc/client/testing';

/** The address of the reference server, and its credentials. */
export interface Target {
  baseUrl: string;
  apiKey: string;
  accessToken: string;
  /** The handler of a server in this process. Default: the network. */
  fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Uses the whole package against the reference server, with only APIs that every runtime has. Returns the checks that
 * passed, and throws at the first one that fails.
 */
export async function scenario({ baseUrl, apiKey, accessToken, fetch }: Target): Promise<string[]> {
  const done: string[] = [];
  const check = (what: string, holds: boolean) => {
    if (!holds) throw new Error(`Check failed: ${what}`);
    done.push(what);
  };
  const validate = { schemas, onInvalid: 'throw' as const };
  // The scenario also runs in a browser.
  const inBrowser = { dangerouslyAllowBrowser: true };
  const options = { ...inBrowser, baseUrl, validate, fetch };
  const svc = createClient({ apiKey, ...options });
  const user = createClient({ accessToken: async () => accessToken, ...options });

  const { data: me, requestId, rateLimit } = await svc.me.retrieve().withResponse();
  check('a key knows its workspace', me.workspace.id.startsWith('wsp_') && me.workspace.role === null);
  check('a response has a request id and a rate limit', requestId !== null && rateLimit?.limit === 300);
  const workspaceId = me.workspace.id;
  check('a workspace is retrieved', (await svc.workspaces.retrieve(workspaceId)).id === workspaceId);
  check('a workspace is updated', (await svc.workspaces.update(workspaceId, { weekStartsOn: 3 })).weekStartsOn === 3);

  const organizations = await user.organizations.list({ expand: ['workspaces'] });
  check('organizations are expanded', (organizations.data[0]?.workspaces.length ?? 0) > 0);
  check(
    'workspaces are listed',
    (await user.workspaces.list()).data.some(({ id }) => id === workspaceId),
  );

  const url = 'https://receiver.example/webhooks';
  const { endpoint, secret } = await svc.webhooks.endpoints.create({ url, subscribedEvents: ['webhook.ping'] });
  check('an endpoint is created with its secret', secret.secret.startsWith('whsec_') && endpoint.active);
  check('an endpoint is retrieved', (await svc.webhooks.endpoints.retrieve(endpoint.id)).url === url);
  check('a secret is rotated', (await svc.webhooks.endpoints.rotateSecret(endpoint.id)).id !== secret.id);
  const pings: WebhookDeliveryId[] = [];
  for (let i = 0; i < 3; i++) pings.push((await svc.webhooks.endpoints.sendTestEvent(endpoint.id)).deliveryId);
  const scoped = user.workspace(workspaceId);
  const listed = [];
  for await (const delivery of scoped.webhooks.deliveries.list({ endpointId: endpoint.id, limit: 2 }))
    listed.push(delivery.id);
  check('deliveries are iterated over pages, newest first', `${listed}` === `${pings.toReversed()}`);
  const first = await svc.webhooks.deliveries.list({ endpointId: endpoint.id, limit: 2 });
  const back = await (await first.next())?.previous();
  check('pages lead forward and back', back?.data[0]?.id === first.data[0]?.id);
  const resumed = svc.webhooks.deliveries.list.resume(first.nextPageUrl ?? '');
  check('a list is resumed', (await resumed.collect({ limit: 10 })).length === 1);
  const delivery = await svc.webhooks.deliveries.retrieve(pings[0] ?? 'whd_');
  check('an event is retrieved', (await svc.events.retrieve(delivery.eventId)).type === 'webhook.ping');
  check('events are listed', (await svc.events.list({ type: 'webhook.ping' }).collect({ limit: 3 })).length === 3);
  check('the catalog is listed', (await svc.webhooks.endpoints.eventTypes().first())?.type === 'lifecycle.evaluated');
  check('a search has results', (await svc.search({ q: 'receiver' })).data.length > 0);
  const subject = { id: workspaceId, type: 'workspace', url: `/v1/workspaces/${workspaceId}` } as const;
  check('a subject is followed', (await scoped.follow(subject)).weekStartsOn === 3);
  await svc.webhooks.endpoints.update(endpoint.id, { active: false });
  const refused = await svc.webhooks.endpoints.sendTestEvent(endpoint.id).catch((error: unknown) => error);
  check('a refusal narrows by its code', isApiError(refused, 'CONFLICT') && refused.status === 409);
  await svc.webhooks.endpoints.delete(endpoint.id);
  const gone = await svc.webhooks.endpoints.retrieve(endpoint.id).catch((error: unknown) => error);
  check('a deleted endpoint is gone', isApiError(gone, 'NOT_FOUND') && gone.requestId !== null);

  const mock = createMockTransport()
    .on('GET /v1/me', cutOff(), rateLimited(0), fixtures.identity())
    .on('GET /v1/events', silent());
  const mocked = createClient({ ...inBrowser, apiKey, baseUrl: mock.baseUrl, fetch: mock.fetch, timeoutMs: 500 });
  check('a cut-off body and a 429 are tried again', (await mocked.me.retrieve().withResponse()).attempts === 3);
  const late = await mocked.events.list({}, { maxRetries: 0 }).catch((error: unknown) => error);
  check('a time-out is a TimeoutError', late instanceof Error && late.name === 'TimeoutError');
  const nowhere = createClient({ ...inBrowser, apiKey, baseUrl: 'http://127.0.0.1:64999', maxRetries: 0 });
  const refusedConnection = await nowhere.me.retrieve().catch((error: unknown) => error);
  check('no connection is a NetworkError', refusedConnection instanceof NetworkError);
  // Browsers and Workers do not say why there was no connection.
  const silentPlatform = 'document' in globalThis || globalThis.navigator?.userAgent === 'Cloudflare-Workers';
  const told = silentPlatform || (refusedConnection instanceof NetworkError && refusedConnection.neverArrived);
  check('a refused connection has neverArrived', told);
  const controller = new AbortController();
  const aborted = mocked.events.list({}, { signal: controller.signal, maxRetries: 0 }).catch((error: unknown) => error);
  controller.abort();
  check('an abort is an AbortedError', ((await aborted) as Error).name === 'AbortedError');
  svc.close();
  return done;
}
