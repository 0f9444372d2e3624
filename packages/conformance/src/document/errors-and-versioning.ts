import assert from 'node:assert/strict';
import { OPERATIONS } from '../operations.ts';
import { assertKeys } from '../shape.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('document', 'Errors and versioning');
export const errorsAndVersioning = statements;

state('errors.shape', 'The error body is { error: { code, message } }', async (probe) => {
  const responses = [
    await probe.call('GET', '/v1/me'),
    await probe.call('GET', '/v1/nothing'),
    await probe.call('GET', '/v1/events', { as: demo.owner }),
    await probe.call('GET', '/v1/workspaces', { as: demo.productionKey }),
    await probe.call('GET', '/v1/events/evt_x', { as: demo.productionKey }),
    await probe.call('PATCH', `/v1/workspaces/${demo.production}`, {
      as: demo.productionKey,
      body: { slug: 'staging' },
    }),
  ];
  assert.deepEqual(
    responses.map(({ status }) => status),
    [401, 404, 400, 403, 404, 409],
  );
  for (const { body } of responses) {
    assertKeys(body, 'error');
    assertKeys(body.error, 'code', 'message');
    assert.equal(typeof body.error.message, 'string');
  }
});

state(
  'versioning.prefix',
  'All routes are under /v1',
  async (probe) => {
    for (const [method, path] of OPERATIONS) {
      for (const prefix of ['', '/v2', '/V1', '/v1/v1']) {
        const other = `${prefix}${path.slice('/v1'.length)}`;
        assert.equal((await probe.call(method, other, { as: demo.owner })).status, 404, `${method} ${other}`);
      }
    }
  },
  'token',
);

state(
  'versioning.api-version',
  'apiVersion is reserved: regardless of its value, the endpoint receives the latest payload shape',
  async (probe) => {
    const receiver = await probe.receiver();
    await probe.call('POST', '/v1/webhooks/endpoints', {
      as: demo.productionKey,
      body: { url: receiver.url, subscribedEvents: ['*'], apiVersion: '1999-01-01' },
    });
    await probe.event();
    await probe.settle();
    assertKeys(JSON.parse(receiver.received[0]?.body ?? '{}'), 'id', 'type', 'created', 'subject');
  },
);
