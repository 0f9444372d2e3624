import { SAMPLE_CREDENTIALS } from './credentials.ts';
import type { BodyOf, ParameterName, QueryOf } from './derived-types.ts';
import { ID_PREFIXES } from './ids.ts';
import { type Operation, type OperationName, operations } from './operations.ts';
import { PARAMETER_KINDS } from './parameter-kinds.ts';

/** In the code, `svc` is a client with a credential that the operation accepts. */
const CLIENT_CALLS: Readonly<Record<OperationName, string>> = {
  listWorkspaces: `for await (const workspace of svc.workspaces.list()) {
  console.log(workspace.id, workspace.name);
}`,
  retrieveWorkspace: `const workspace = await svc.workspaces.retrieve('wsp_…');
console.log(workspace.name, workspace.timezone);`,
  updateWorkspace: `const workspace = await svc.workspaces.update('wsp_…', { timezone: 'Europe/Berlin' });
console.log(workspace.timezone);`,
  listOrganizations: `for await (const organization of svc.organizations.list({ expand: ['workspaces'] })) {
  console.log(organization.name, organization.workspaces.length);
}`,
  retrieveIdentity: `const { credential, workspace } = await svc.me.retrieve();
console.log(credential.kind, workspace.permissions);`,
  search: `for await (const hit of svc.search({ q: 'ada' })) {
  console.log(hit.type, hit.title);
}`,
  listWebhookEndpoints: `for await (const endpoint of svc.webhooks.endpoints.list()) {
  console.log(endpoint.url, endpoint.active);
}`,
  retrieveWebhookEndpoint: `const endpoint = await svc.webhooks.endpoints.retrieve('whe_…');
console.log(endpoint.url, endpoint.active);`,
  createWebhookEndpoint: `const { endpoint, secret } = await svc.webhooks.endpoints.create({
  url: 'https://example.com/webhooks',
  subscribedEvents: ['lifecycle.*'],
});
// Keep the secret: it is returned only once.
console.log(endpoint.id, secret.secret);`,
  updateWebhookEndpoint: `const endpoint = await svc.webhooks.endpoints.update('whe_…', { active: false });
console.log(endpoint.active);`,
  deleteWebhookEndpoint: `await svc.webhooks.endpoints.delete('whe_…');`,
  listEventTypes: `for await (const { type, category } of svc.webhooks.endpoints.eventTypes()) {
  console.log(category, type);
}`,
  listEventTypesByShortPath: `for await (const { type, category } of svc.webhooks.endpoints.eventTypes()) {
  console.log(category, type);
}`,
  rotateWebhookSecret: `const secret = await svc.webhooks.endpoints.rotateSecret('whe_…');
// Keep the secret: it is returned only once. The previous secret keeps signing for 24 hours.
console.log(secret.secret);`,
  sendTestEvent: `const { deliveryId } = await svc.webhooks.endpoints.sendTestEvent('whe_…');
console.log(deliveryId);`,
  listWebhookDeliveries: `for await (const delivery of svc.webhooks.deliveries.list({ status: 'failed' })) {
  console.log(delivery.id, delivery.eventType);
}`,
  retrieveWebhookDelivery: `const delivery = await svc.webhooks.deliveries.retrieve('whd_…');
console.log(delivery.status, delivery.responseStatus);`,
  replayWebhookDelivery: `const replay = await svc.webhooks.deliveries.replay('whd_…');
console.log(replay.id);`,
  retrieveEvent: `const event = await svc.events.retrieve('evt_…');
console.log(event.type, event.created);`,
  listEvents: `for await (const event of svc.events.list({ type: 'lifecycle.evaluated' })) {
  console.log(event.id, event.created);
}`,
};

type Optional<Values> = Readonly<Partial<Record<OperationName, Values>>>;

/** Every operation that accepts a body has an entry. */
const CURL_BODIES: Optional<object> & {
  readonly [Name in OperationName as BodyOf<Name> extends object ? Name : never]: BodyOf<Name>;
} = {
  updateWorkspace: { timezone: 'Europe/Berlin' },
  createWebhookEndpoint: { url: 'https://example.com/webhooks', subscribedEvents: ['lifecycle.*'] },
  updateWebhookEndpoint: { active: false },
};

/** True if at least one parameter of an operation's query is required. */
type NeedsQuery<Name extends OperationName> =
  QueryOf<Name> extends undefined ? false : Record<never, never> extends QueryOf<Name> ? false : true;

/** Every operation that requires a query parameter has an entry. */
const CURL_QUERIES: Optional<string> & {
  readonly [Name in OperationName as NeedsQuery<Name> extends true ? Name : never]: string;
} = {
  listOrganizations: '?expand=workspaces',
  search: '?q=ada',
  listWebhookDeliveries: '?status=failed',
  listEvents: '?type=lifecycle.evaluated',
};

export function clientSample(name: OperationName, baseUrl: string): string {
  const kind = credentialOf(operations[name]);
  const option = kind === 'api_key' ? 'apiKey' : 'accessToken';
  return `import { createClient } from '@svc/client';

const svc = createClient({
  ${option}: '${SAMPLE_CREDENTIALS[kind]}',
  baseUrl: '${baseUrl}',
});

${CLIENT_CALLS[name]}
`;
}

export function curlSample(name: OperationName, baseUrl: string): string {
  const operation: Operation = operations[name];
  const path = operation.path.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: ParameterName) => `${ID_PREFIXES[PARAMETER_KINDS[name]]}…`,
  );
  const body = CURL_BODIES[name];
  const parts = [
    // curl itself chooses POST for a request with a body, and GET for a request without a body.
    ...(operation.method === (body ? 'POST' : 'GET') ? [] : [`-X ${operation.method}`]),
    `-H 'Authorization: Bearer ${SAMPLE_CREDENTIALS[credentialOf(operation)]}'`,
    ...(body ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`] : []),
    `'${baseUrl}${path}${CURL_QUERIES[name] ?? ''}'`,
  ];
  return `curl ${parts.join(' \\\n  ')}`;
}

/** A sample uses an API key if the operation accepts API keys, and otherwise a personal access token. */
const credentialOf = ({ credentials }: Operation) =>
  credentials.includes('api_key') ? 'api_key' : 'personal_access_token';
