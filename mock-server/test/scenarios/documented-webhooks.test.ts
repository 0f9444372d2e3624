import { expect, test, vi } from 'vitest';
import { startApi } from '../support/api.ts';
import { demo } from '../support/demo.ts';
import { startReceiver } from '../support/receiver.ts';

interface Webhook {
  post: {
    parameters: { name: string; schema: { pattern?: string } }[];
    requestBody: { content: { 'application/json': { examples: { example: { value: Record<string, unknown> } } } } };
  };
}

test('every delivery has the headers and the fields that the OpenAPI document describes', async () => {
  await using receiver = await startReceiver();
  await using api = await startApi();
  const as = { credential: demo.production.key };
  const body = { url: receiver.url, subscribedEvents: ['lifecycle.*', 'webhook.endpoint.auto_disabled'] };
  const { endpoint } = (await api.call('POST', '/v1/webhooks/endpoints', { ...as, body })).body;
  const url = `/v1/webhooks/endpoints/${endpoint.id}`;
  const emit = (event: object) =>
    api.call('POST', '/_control/events', { body: { workspaceId: demo.production.id, ...event } });
  await api.call('POST', `${url}/send-test-event`, as);
  await emit({ type: 'lifecycle.evaluated' });
  const subject = { id: endpoint.id, type: 'webhook_endpoint', url };
  await emit({ type: 'webhook.endpoint.auto_disabled', subject });
  await vi.waitFor(() => expect(receiver.received).toHaveLength(3));

  const { webhooks } = (await api.call('GET', '/openapi.json')).body as { webhooks: Record<string, Webhook> };
  const sent = new Map(receiver.received.map(({ headers, body }) => [JSON.parse(body).type, { headers, body }]));
  expect([...sent.keys()].toSorted()).toEqual(Object.keys(webhooks).toSorted());
  for (const [type, { post }] of Object.entries(webhooks)) {
    const { headers = {}, body = '' } = sent.get(type) ?? {};
    // HTTP's own headers are not parameters in OpenAPI.
    const { host: _host, connection: _connection, 'content-length': _length, 'content-type': media, ...rest } = headers;
    expect(media).toBe('application/json');
    expect(Object.keys(rest).toSorted(), type).toEqual(post.parameters.map(({ name }) => name).toSorted());
    for (const { name, schema } of post.parameters) expect(rest[name]).toMatch(new RegExp(schema.pattern ?? '.'));
    const { value } = post.requestBody.content['application/json'].examples.example;
    expect(Object.keys(JSON.parse(body)), type).toEqual(Object.keys(value));
  }
});
