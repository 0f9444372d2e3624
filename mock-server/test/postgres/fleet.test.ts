import type { ServerResponse } from 'node:http';
import { RETRY_DELAYS_MS } from '@svc/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startReceiver as startHeldReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';
import { type Fleet, startFleet } from './support/fleet.ts';

let fleet: Fleet;
beforeAll(async () => {
  fleet = await startFleet({ rateLimit: false });
});
afterAll(() => fleet[Symbol.asyncDispose]());

/** Calls the next node each time, like a load balancer. */
let next = 0;
const call: Fleet['nodes'][0]['call'] = (...request) => {
  const node = fleet.nodes[next++ % 3] as Fleet['nodes'][0];
  return node.call(...request);
};

async function addEndpoint(url: string, credential: string): Promise<string> {
  const { body } = await call('POST', '/v1/webhooks/endpoints', {
    credential,
    body: { url, subscribedEvents: ['lifecycle.*'] },
  });
  return body.endpoint.id;
}

const cause = async (workspaceId: string, times = 1) => {
  const events = Array.from({ length: times }, () => ({ workspaceId, type: 'lifecycle.evaluated' }));
  const { body } = await call('POST', '/_control/events', { body: { events } });
  return body.events.flatMap((item: { deliveries: { id: string }[] }) => item.deliveries.map(({ id }) => id));
};

describe('Deliveries of several servers on one database', () => {
  test('what one server accepts is delivered once, and every server shows it', async () => {
    await using receiver = await startReceiver();
    const endpointId = await addEndpoint(receiver.url, demo.production.key);
    const ids: string[] = [];
    for (let round = 0; round < 6; round++) ids.push(...(await cause(demo.production.id, 25)));
    expect((await call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true, pending: 0 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids.sort());
    for (const node of fleet.nodes) {
      const { body } = await node.call('GET', `/v1/webhooks/deliveries/${ids[0]}`, { credential: demo.production.key });
      expect(body.delivery).toMatchObject({ status: 'success', attempt: 1, endpointId });
    }
    await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, { credential: demo.production.key });
  });

  test('failures on several servers disable the endpoint once, with one event and one notification for each user', async () => {
    const attemptsMade = () =>
      Promise.all(
        fleet.nodes.map(async ({ server }) => {
          const text = await (await fetch(`${server.url}/metrics`)).text();
          return Number(/^svc_delivery_attempt_duration_seconds_count (\d+)$/m.exec(text)?.[1]);
        }),
      );
    const before = await attemptsMade();
    await using receiver = await startReceiver(500);
    const as = { credential: demo.production.key };
    const endpointId = await addEndpoint(receiver.url, as.credential);
    await cause(demo.production.id, 8);
    await call('POST', '/_control/settle', { body: {} });
    // The servers take turns to move the clock, and make the attempts that become due.
    for (const delayMs of RETRY_DELAYS_MS) {
      await call('POST', '/_control/clock', { body: { advance: `PT${delayMs / 1000 + 60}S` } });
    }
    const made = (await attemptsMade()).map((count, index) => count - (before[index] ?? 0));
    expect(made.filter((count) => count > 0).length).toBeGreaterThan(1);
    expect(made.reduce((sum, count) => sum + count, 0)).toBe(receiver.received.length);

    const { body } = await call('GET', '/v1/events?type=webhook.endpoint.auto_disabled', as);
    expect(body.data.map((event: { subject: { id: string } }) => event.subject.id)).toEqual([endpointId]);
    const users = await Promise.all(
      [demo.owner, demo.admin, demo.viewer].map(
        async (credential) => (await call('GET', '/v1/me', { credential })).body.user.id,
      ),
    );
    const told = (await call('GET', '/_control/notifications')).body.data.filter(
      (item: { endpointId: string }) => item.endpointId === endpointId,
    );
    expect(told.map(({ userId }: { userId: string }) => userId).sort()).toEqual(users.sort());
    const deliveries = await call('GET', `/v1/webhooks/deliveries?endpointId=${endpointId}`, as);
    const ends = deliveries.body.data.map(
      ({ status, attempt }: { status: string; attempt: number }) => `${status} ${attempt}`,
    );
    expect(ends.filter((end: string) => end === 'failed 11').length).toBeGreaterThanOrEqual(5);
    expect(ends.filter((end: string) => end.startsWith('pending'))).toEqual([]);
    await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, as);
  });
});

describe('The virtual clock of several servers on one database', () => {
  const offsets = async () =>
    Promise.all(fleet.nodes.map(async (node) => (await node.call('GET', '/_control/clock')).body.offsetMs));

  test('moves on all servers before the call that moves it is answered', async () => {
    const [one, two, three] = fleet.nodes;
    await one.call('POST', '/_control/clock', { body: { freeze: true } });
    await two.call('POST', '/_control/clock', { body: { advance: 'P2D' } });
    const { body } = await three.call('PATCH', `/v1/workspaces/${demo.staging.id}`, {
      credential: demo.staging.key,
      body: { weekStartsOn: 6 },
    });
    expect(body.workspace.id).toBe(demo.staging.id);
    const shown = await one.call('GET', `/v1/workspaces/${demo.staging.id}`, { credential: demo.staging.key });
    const { now, frozen } = (await three.call('GET', '/_control/clock')).body;
    expect(shown.body.workspace.updatedAt).toBe(now);
    expect(frozen).toBe(true);
    await one.call('POST', '/_control/clock', { body: { reset: true } });
    expect(await offsets()).toEqual([0, 0, 0]);
  });

  test('makes a retry due no matter which server moves it', async () => {
    await using receiver = await startReceiver(500);
    await addEndpoint(receiver.url, demo.staging.key);
    const [id] = await cause(demo.staging.id);
    await call('POST', '/_control/settle', { body: {} });
    for (const [index, after] of ['5m', '30m', '2h'].entries()) {
      const { body } = await call('POST', '/_control/clock', { body: { advance: after } });
      expect(body.ran.attempts).toBe(1);
      const shown = await call('GET', `/v1/webhooks/deliveries/${id}`, { credential: demo.staging.key });
      expect(shown.body.delivery).toMatchObject({ status: 'pending', attempt: index + 2 });
    }
  });
});

describe('Faults of several servers on one database', () => {
  test('strike on every server, as often in total as set, and end on all servers', async () => {
    const body = { target: 'api', effect: { status: 502 }, times: 3 };
    expect((await call('POST', '/_control/faults', { body })).status).toBe(201);
    const me = () => call('GET', '/v1/me', { credential: demo.production.key });
    const statuses = await Promise.all(Array.from({ length: 9 }, async () => (await me()).status));
    expect(statuses.filter((status) => status === 502)).toHaveLength(3);
    expect((await call('GET', '/_control/faults')).body.faults).toMatchObject([{ struck: 3, remaining: 0 }]);

    await call('POST', '/_control/faults', { body: { ...body, times: null } });
    for (let node = 0; node < 3; node++) expect((await me()).status).toBe(502);
    await call('DELETE', '/_control/faults');
    for (let node = 0; node < 3; node++) expect((await me()).status).toBe(200);
  });
});

describe('The explanation of a delivery that another server makes', () => {
  test('says that another server holds it', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startHeldReceiver((_request, response) => open.push(response));
    const endpointId = await addEndpoint(receiver.url, demo.production.key);
    const [id] = await cause(demo.production.id);
    await vi.waitFor(() => expect(open).toHaveLength(1));
    const reasons = await Promise.all(
      fleet.nodes.map(async (node) => {
        const { body } = await node.call('GET', `/_control/deliveries/${id}/explanation`);
        return body.explanation.reason;
      }),
    );
    expect(reasons.sort()).toEqual(['held_by_another_server', 'held_by_another_server', 'in_flight']);
    open[0]?.writeHead(200).end();
    await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, { credential: demo.production.key });
  });
});

describe('The number of due deliveries on several servers', () => {
  test('is the same on every server, even while one of them has the attempts in flight', async () => {
    const open: ServerResponse[] = [];
    await using receiver = await startHeldReceiver((_request, response) => open.push(response));
    const endpointId = await addEndpoint(receiver.url, demo.production.key);
    await cause(demo.production.id, 2);
    await vi.waitFor(() => expect(open).toHaveLength(2));
    const texts = await Promise.all(
      fleet.nodes.map(async ({ server }) => (await fetch(`${server.url}/metrics`)).text()),
    );
    const seriesOf = (name: string) => texts.map((text) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]));
    expect(seriesOf('svc_deliveries_due')).toEqual([2, 2, 2]);
    expect(seriesOf('svc_delivery_attempts_in_flight').sort()).toEqual([0, 0, 2]);
    for (const response of open) response.writeHead(200).end();
    await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`, { credential: demo.production.key });
  });
});

describe('A credential', () => {
  test('that one server issues works on all servers, and on none after one server revokes it', async () => {
    const issued = await call('POST', '/_control/credentials', {
      body: { kind: 'api_key', workspaceId: demo.globex.id },
    });
    const { id, credential } = issued.body;
    const statuses = () =>
      Promise.all(fleet.nodes.map(async (node) => (await node.call('GET', '/v1/me', { credential })).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await call('DELETE', `/_control/credentials/${id}`);
    expect(await statuses()).toEqual([401, 401, 401]);
  });
});

describe('A reset on one of several servers', () => {
  test('resets all of them: tenants, catalog and clock', async () => {
    const [one, two, three] = fleet.nodes;
    await two.call('POST', '/_control/clock', { body: { advance: 'P1D' } });
    const invoices = { type: 'invoice.paid', category: 'Billing', description: 'Paid.' };
    const seed = {
      organizations: [{ slug: 'solo', name: 'Solo', workspaces: [{ slug: 'w', name: 'W', apiKeys: [{}] }] }],
      eventTypes: [invoices],
    };
    const { body } = await one.call('POST', '/_control/reset', { body: { seed } });
    const { credential, workspaceId } = body.credentials[0];
    for (const node of fleet.nodes) {
      expect((await node.call('GET', '/v1/me', { credential: demo.owner })).status).toBe(401);
      const types = await node.call('GET', '/v1/webhooks/event-types', { credential });
      expect(types.body.data).toContainEqual(invoices);
      expect((await node.call('GET', '/_control/clock')).body.offsetMs).toBe(0);
    }
    const event = await three.call('POST', '/_control/events', { body: { workspaceId, type: 'invoice.paid' } });
    expect(event.status).toBe(201);
  });
});

describe('Ids of several servers on one database', () => {
  beforeEach(async () => {
    await call('POST', '/_control/reset', { body: {} });
  });

  const newest = async (count: number) => {
    const made: string[] = [];
    for (let event = 0; event < count; event++) {
      const body = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
      made.unshift((await call('POST', '/_control/events', { body })).body.event.id);
    }
    const { body } = await call('GET', `/v1/events?limit=${count}`, { credential: demo.production.key });
    return { made, listed: body.data.map((event: { id: string }) => event.id) };
  };

  test('stay in order after a reset, even if the clock of one server was far ahead', async () => {
    await call('POST', '/_control/clock', { body: { advance: '30d' } });
    await newest(1);
    await call('POST', '/_control/reset', { body: {} });
    const { made, listed } = await newest(9);
    expect(listed).toEqual(made);
  });

  test('stay above those of other servers if the clock is set back', async () => {
    for (const node of fleet.nodes) {
      await node.call('POST', '/_control/clock', { body: { advance: '1d' } });
      const { listed: ahead } = await newest(1);
      await node.call('POST', '/_control/clock', { body: { reset: true } });
      const { made, listed } = await newest(1);
      expect(listed).toEqual(made);
      expect(String(made[0]) > ahead[0]).toBe(true);
    }
  });

  test('stay above existing ids after a refused reset, which keeps the rows', async () => {
    const { made: before } = await newest(1);
    const user = { email: 'twice@acme.test', name: 'Twice' };
    expect((await call('POST', '/_control/reset', { body: { seed: { users: [user, user] } } })).status).toBe(400);
    const { made, listed } = await newest(2);
    expect(listed).toEqual(made);
    expect(made.every((id) => id > String(before[0]))).toBe(true);
  });
});
