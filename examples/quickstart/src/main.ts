import { createClient } from '@svc/client';
import { startServer } from '@svc/mock-server';
import { startReceiver } from './receiver.ts';

// Shows how a change in the service becomes a verified, typed event in a receiver. The reference server, the client and
// the receiver all run in this process and use real HTTP.

const say = (what: string, detail: unknown = '') => console.log(what.padEnd(44), detail);

await using server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
say('The service listens at', server.url);

const key = server.credentials.find(({ kind }) => kind === 'api_key');
if (!key) throw new Error('The demo seed has no API key.');
await using svc = createClient({ apiKey: key.credential, baseUrl: server.url });

await using receiver = await startReceiver();
const { endpoint, secret } = await svc.webhooks.endpoints.create({
  url: receiver.url,
  subscribedEvents: ['lifecycle.*'],
  description: 'Quickstart',
});
receiver.secret = secret.secret;
say('Webhook endpoint', `${endpoint.id}, secret ${secret.secretPreview}`);
const workspace = await svc.workspaces.retrieve(endpoint.workspaceId);
say('It belongs to workspace', `${workspace.name} (${workspace.id})`);

// 1. Request a ping.
const { deliveryId } = await svc.webhooks.endpoints.sendTestEvent(endpoint.id);
const ping = await receiver.next();
say('Verified', `${ping.event.type} (delivery ${ping.id})`);
if (ping.id !== deliveryId) throw new Error('The receiver got a delivery that is not the requested ping.');

// 2. Trigger the event that the service sends when an evaluation of the workspace has finished.
await fetch(`${server.url}/_control/events`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ workspaceId: workspace.id, type: 'lifecycle.evaluated' }),
});
const delivery = await receiver.next();
say('Verified', `${delivery.event.type} (delivery ${delivery.id})`);

// 3. The event does not contain the workspace's data. Follow the event's subject to get the workspace's current state.
if (!delivery.known || delivery.event.type !== 'lifecycle.evaluated') throw new Error('Another event was expected.');
const { subject } = delivery.event;
const current = await svc.follow(subject);
say(`GET ${subject.url}`, `"${current.name}", time zone ${current.timezone}`);

// 4. Send the request from step 2 again. The receiver accepts this request, but rejects a copy with one changed byte.
const sent = await svc.webhooks.deliveries.retrieve(delivery.id as typeof deliveryId);
const body = JSON.stringify(sent.requestBody);
const repeat = (text: string) =>
  fetch(receiver.url, { method: 'POST', headers: sent.requestHeaders ?? {}, body: text });
const same = await repeat(body);
say('The same request again', `${same.status}`);
const forged = await repeat(body.replace('lifecycle', 'lifecycl3'));
say('The same request with one byte changed', `${forged.status} ${await forged.text()}`);
if (same.status !== 204 || forged.status < 400)
  throw new Error('Verification must accept the unchanged request and reject the changed request.');

// 5. List the deliveries that the service has recorded.
for await (const row of svc.webhooks.deliveries.list({ endpointId: endpoint.id })) {
  say(`Delivery ${row.id}`, `${row.eventType}: ${row.status}, attempt ${row.attempt}`);
}
say('Done.');
