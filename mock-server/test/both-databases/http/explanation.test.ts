import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import { startApi, type TestApi } from '../../support/api.ts';
import { startReceiver } from '../../support/delivery/receiver.ts';
import { demo } from '../../support/demo.ts';

const as = { credential: demo.production.key };

async function addEndpoint(api: TestApi, url: string): Promise<string> {
  const body = { url, subscribedEvents: ['lifecycle.*'] };
  return (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body.endpoint.id;
}
async function cause(api: TestApi, count = 1): Promise<string[]> {
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const { body } = await api.call('POST', '/_control/events', { body: { events: Array(count).fill(event) } });
  return body.events.map(({ deliveries }: { deliveries: { id: string }[] }) => deliveries[0]?.id);
}
const explain = async (api: TestApi, id: string | undefined) =>
  (await api.call('GET', `/_control/deliveries/${id}/explanation`)).body.explanation;
const clock = (api: TestApi, body: object) => api.call('POST', '/_control/clock', { body });

describe('GET /_control/deliveries/{id}/explanation', () => {
  test('follows a delivery from its first attempt to its end', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => open.push(response));
    await using api = await startApi({ retryDelaysMs: [300_000], endpointConcurrency: 1 });
    const endpointId = await addEndpoint(api, receiver.url);
    await clock(api, { freeze: true });
    const [first, second] = await cause(api, 2);
    await vi.waitFor(() => expect(open).toHaveLength(1));
    expect(await explain(api, first)).toMatchObject({ reason: 'in_flight', sentence: 'Attempt 1 of 2 is being made.' });
    expect(await explain(api, second)).toMatchObject({ reason: 'endpoint_busy', attemptsLeft: 2 });

    open[0]?.writeHead(503).end();
    await vi.waitFor(() => expect(open).toHaveLength(2));
    open[1]?.writeHead(200).end();
    await api.call('POST', '/_control/settle', { body: {} });
    const { now } = (await api.call('GET', '/_control/clock')).body;
    const dueAt = new Date(Date.parse(now) + 300_000).toISOString();
    expect(await explain(api, first)).toEqual({
      reason: 'clock_frozen',
      sentence: `Attempt 2 of 2 is due at ${dueAt}, in 5 min. The clock is frozen, so the attempt waits until you move the clock. Attempt 1 failed with "HTTP 503".`,
      status: 'pending',
      attempt: 1,
      attemptsLeft: 1,
      laterDelaysMs: [],
      nextAttemptAt: dueAt,
      endpoint: { id: endpointId, active: true, deleted: false, consecutiveFailures: 0, failuresUntilDisabled: 5 },
      clock: { now, frozen: true },
    });
    expect(await explain(api, second)).toMatchObject({ reason: 'delivered', status: 'success', nextAttemptAt: null });

    receiver.answer = (_request, response) => void response.writeHead(500).end();
    await clock(api, { advance: '5m' });
    expect(await explain(api, first)).toMatchObject({
      reason: 'attempts_used_up',
      status: 'failed',
      attemptsLeft: 0,
      endpoint: { consecutiveFailures: 1, failuresUntilDisabled: 4 },
    });
  });

  test('reports an endpoint that is paused or deleted, before and after the delivery becomes disabled', async () => {
    await using receiver = await startReceiver((_request, response) => void response.writeHead(500).end());
    await using api = await startApi();
    const endpointId = await addEndpoint(api, receiver.url);
    const [id] = await cause(api);
    await api.call('POST', '/_control/settle', { body: {} });
    expect(await explain(api, id)).toMatchObject({ reason: 'scheduled', status: 'pending' });
    await api.call('PATCH', `/v1/webhooks/endpoints/${endpointId}`, { ...as, body: { active: false } });
    expect(await explain(api, id)).toMatchObject({ reason: 'endpoint_inactive', status: 'pending' });
    await clock(api, { advance: '5m' });
    expect(await explain(api, id)).toMatchObject({ reason: 'endpoint_inactive', status: 'disabled', attempt: 1 });
    await api.call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, as);
    expect(await explain(api, id)).toMatchObject({
      reason: 'endpoint_deleted',
      endpoint: { id: endpointId, deleted: true, failuresUntilDisabled: null },
    });
  });

  test('says if the server makes no deliveries', async () => {
    await using receiver = await startReceiver();
    await using api = await startApi({ roles: ['api'] });
    await addEndpoint(api, receiver.url);
    const [id] = await cause(api);
    expect(await explain(api, id)).toMatchObject({ reason: 'not_delivering', attemptsLeft: 11 });
  });

  test('returns 404 for an unknown delivery', async () => {
    await using api = await startApi();
    expect((await api.call('GET', '/_control/deliveries/whd_none/explanation')).status).toBe(404);
  });
});
