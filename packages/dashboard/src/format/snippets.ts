import { controlPath } from '../data/control-path.ts';

export interface SnippetValues {
  baseUrl: string;
  credential: string;
}

/** Shows which user or workspace a credential belongs to. */
export const curlSnippet = ({ baseUrl, credential }: SnippetValues): string =>
  `curl -H 'Authorization: Bearer ${credential}' ${baseUrl}/v1/me`;

const clientSnippet = (option: 'apiKey' | 'accessToken', { baseUrl, credential }: SnippetValues) =>
  `import { createClient } from '@svc/client';

const svc = createClient({
  ${option}: '${credential}',
  baseUrl: '${baseUrl}',
});
`;

export const keySdkSnippet = (values: SnippetValues): string => `${clientSnippet('apiKey', values)}
for await (const delivery of svc.webhooks.deliveries.list()) {
  console.log(delivery.eventType, delivery.status);
}
`;

export const tokenSdkSnippet = (values: SnippetValues): string => `${clientSnippet('accessToken', values)}
for await (const workspace of svc.workspaces.list()) {
  console.log(workspace.id, workspace.name);
}
`;

export const NO_KEY = 'svc_sk_…';

/** These snippets read the admin token from `SVC_ADMIN_TOKEN`, so they never contain the token. */
export interface SnippetPlace {
  baseUrl: string;
  workspaceId: string;
  hasAdminToken: boolean;
}

const ADMIN_HEADER = '-H "Authorization: Bearer $SVC_ADMIN_TOKEN"';

export const metricsSnippet = (baseUrl: string): string => `curl ${ADMIN_HEADER} ${baseUrl}/metrics`;

export const triggerSnippet = ({ baseUrl, workspaceId, hasAdminToken }: SnippetPlace): string =>
  `curl -H 'Content-Type: application/json' \\
${hasAdminToken ? `  ${ADMIN_HEADER} \\\n` : ''}  -d '{ "workspaceId": "${workspaceId}", "type": "lifecycle.evaluated" }' \\
  ${baseUrl}${controlPath('POST', '/events')}`;

/** The snippet contains no admin token, because `svc-mock` reads `SVC_ADMIN_TOKEN` itself. */
export const svcMockSnippet = ({ baseUrl, workspaceId }: SnippetPlace): string =>
  `npx @svc/mock-server trigger lifecycle.evaluated \\
  --workspace ${workspaceId} \\
  --server ${baseUrl}`;

/** Starts and registers a receiver that responds automatically. */
export const listenSnippet = ({ baseUrl, credential }: SnippetValues): string =>
  `SVC_API_KEY=${credential} npx @svc/mock-server listen --server ${baseUrl}`;

/** Pings every active endpoint, because pings are the only events that the service's API can trigger. */
export const pingSnippet = (values: SnippetValues): string => `${clientSnippet('apiKey', values)}
for await (const { id, url, active } of svc.webhooks.endpoints.list()) {
  if (!active) continue;
  const { deliveryId } = await svc.webhooks.endpoints.sendTestEvent(id);
  console.log('pinged', url, deliveryId);
}
`;

export const receiverSnippet = (port: number): string => `import { createServer } from 'node:http';
import { createWebhooks, WebhookError } from '@svc/webhooks';

const webhooks = createWebhooks({ secrets: process.env.SVC_WEBHOOK_SECRET ?? '' });

createServer(async (request, response) => {
  try {
    const { event } = await webhooks.verifyRequest(request);
    console.log('verified', event.type);
    response.writeHead(204).end();
  } catch (error) {
    if (!WebhookError.is(error)) throw error;
    console.error('refused', error.code);
    response.writeHead(error.status).end(error.code);
  }
}).listen(${port});
`;

export const startSnippet = (secret: string): string => `SVC_WEBHOOK_SECRET=${secret} node receiver.mjs`;

export const profilesSnippet = ({ baseUrl, workspaceId, hasAdminToken }: SnippetPlace): string =>
  `curl -X PUT -H 'Content-Type: application/x-ndjson' --data-binary @- \\
${hasAdminToken ? `  ${ADMIN_HEADER} \\\n` : ''}  ${baseUrl}${controlPath('PUT', '/workspaces/{workspaceId}/profiles', { workspaceId })} <<'END'
{ "externalId": "u1", "name": "Ada Lovelace", "email": "ada@example.com" }
{ "externalId": "u2", "name": "Alan Turing", "activeDays": ["2026-01-05", "2026-01-06"] }
END`;
