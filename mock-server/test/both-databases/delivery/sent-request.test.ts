import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { status } from '../../support/delivery/receiver.ts';
import { addEndpoint, attemptsOf, deliveryOf, emit, START, startWorld } from '../../support/delivery/world.ts';

describe('Delivery format', () => {
  it('POSTs the stored envelope byte for byte, with the three Standard Webhooks headers', async () => {
    await using world = await startWorld((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'X-Answer': ['a', 'b'] }).end('thanks');
    });
    const { receiver, storage, endpoint, engine } = world;
    const [id] = await emit(world);
    const before = Math.floor(Date.now() / 1000);
    await engine.runDue();

    const [request] = receiver.requests;
    const { event_id: eventId, ...delivery } = await deliveryOf(storage, id);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?from=test' });
    expect(JSON.parse(request?.body ?? '')).toEqual({
      id: eventId,
      type: 'lifecycle.evaluated',
      created: new Date(START).toISOString(),
      subject: { id: world.workspaceId, type: 'workspace', url: `/v1/workspaces/${world.workspaceId}` },
    });
    const timestamp = Number(request?.headers['webhook-timestamp']);
    expect(timestamp).toBeGreaterThanOrEqual(before);
    expect(timestamp).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
    const signature = createHmac('sha256', Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64url'))
      .update(`${id}.${timestamp}.${request?.body}`)
      .digest('base64');
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringContaining('Webhooks'),
      'webhook-id': id,
      'webhook-signature': `v1,${signature}`,
    });

    expect(delivery).toMatchObject({
      status: 'success',
      attempt: 1,
      error: null,
      response_status: 200,
      response_time_ms: expect.any(Number),
      delivered_at: START,
      next_attempt_at: null,
    });
    const [attempt] = await attemptsOf(storage, id);
    expect(attempt).toMatchObject({ number: 1, url: receiver.url, response_body: 'thanks', error: null, late: 0 });
    // The other headers follow from the URL and the body.
    expect(JSON.parse(attempt?.request_headers ?? '')).toEqual({
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': request?.headers['webhook-signature'],
    });
    expect(JSON.parse(attempt?.response_headers ?? '')).toMatchObject({
      'content-type': 'text/plain',
      'x-answer': 'a, b',
    });
  });

  it('every secret that is still valid signs, the newest first, and an expired one does not', async () => {
    await using world = await startWorld(status(500), { retryDelaysMs: [999, 1] });
    const { receiver, storage, endpoint, engine } = world;
    const rotated = await addEndpoint(world, 'http://127.0.0.1:9/', { subscribedEvents: ['webhook.ping'] });
    const expiresAt = START + 1_000;
    await storage.write(async (queries) => {
      await queries
        .updateTable('webhook_secrets')
        .set({ expires_at: expiresAt })
        .where('endpoint_id', '=', endpoint.id)
        .execute();
      await queries
        .updateTable('webhook_secrets')
        .set({ endpoint_id: endpoint.id })
        .where('endpoint_id', '=', rotated.id)
        .execute();
    });
    await emit(world);
    for (const at of [START, START + 999, START + 1_000]) {
      world.clock.restore(world.clock.stateAt(at));
      await engine.runDue();
    }

    const expected = receiver.requests.map(({ headers, body }, index) => {
      const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
      const raws = index < 2 ? [rotated.secret, endpoint.secret] : [rotated.secret];
      return raws
        .map((raw) => Buffer.from(raw.slice('whsec_'.length), 'base64url'))
        .map((key) => `v1,${createHmac('sha256', key).update(content).digest('base64')}`)
        .join(' ');
    });
    expect(receiver.requests.map(({ headers }) => headers['webhook-signature'])).toEqual(expected);
    expect(expected).toHaveLength(3);
  });
});
