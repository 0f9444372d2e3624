/** What a snippet is filled in with. */
export interface SnippetValues {
  baseUrl: string;
  credential: string;
}

/** Reads the workspace or the identity with a credential. */
export const curlSnippet = ({ baseUrl, credential }: SnippetValues): string =>
  `curl -H 'Authorization: Bearer ${credential}' ${baseUrl}/v1/me`;

export const keySdkSnippet = ({
  baseUrl,
  credential,
}: SnippetValues): string => `import { createClient } from '@svc/client';

const svc = createClient({
  apiKey: '${credential}',
  baseUrl: '${baseUrl}',
});

for await (const delivery of svc.webhooks.deliveries.list()) {
  console.log(delivery.eventType, delivery.status);
}
`;

export const tokenSdkSnippet = ({
  baseUrl,
  credential,
}: SnippetValues): string => `import { createClient } from '@svc/client';

const svc = createClient({
  accessToken: '${credential}',
  baseUrl: '${baseUrl}',
});

for await (const workspace of svc.workspaces.list()) {
  console.log(workspace.id, workspace.name);
}
`;

/** Causes an event over the control API. */
export const triggerSnippet = (baseUrl: string, workspaceId: string): string =>
  `curl -H 'Content-Type: application/json' \\
  -d '{ "workspaceId": "${workspaceId}", "type": "lifecycle.evaluated" }' \\
  ${baseUrl}/_control/events`;

/** A receiver to paste: it verifies each delivery. */
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

/** Sends profiles over the control API, one on each line. */
export const profilesSnippet = (baseUrl: string, workspaceId: string): string =>
  `curl -X PUT -H 'Content-Type: application/x-ndjson' --data-binary @- \\
  ${baseUrl}/_control/workspaces/${workspaceId}/profiles <<'END'
{ "externalId": "u1", "name": "Ada Lovelace", "email": "ada@example.com" }
{ "externalId": "u2", "name": "Alan Turing", "activeDays": ["2026-01-05", "2026-01-06"] }
END`;
