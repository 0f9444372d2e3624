import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { WebhookEndpoint, WebhookSecret } from '@svc/contract';
import { startServer } from '@svc/mock-server';
import type { Sent } from './message.ts';

/** The reference server with one endpoint. It keeps the deliveries as they arrive over HTTP. */
export async function startReferenceServer() {
  const server = await startServer({ port: 0, dataDir: null, logLevel: 'silent' });
  const key = server.credentials.find(({ kind }) => kind === 'api_key');
  if (!key) throw new Error('The demo seed has an API key.');

  const call = async <Result>(method: string, path: string, body?: object): Promise<Result> => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key.credential}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as Result;
  };

  const waiting: ((sent: Sent) => void)[] = [];
  const receiver = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece);
    response.writeHead(204).end();
    waiting.shift()?.({ headers: request.headers as Sent['headers'], body: Buffer.concat(pieces).toString() });
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/webhooks`;
  const created = await call<{ endpoint: WebhookEndpoint; secret: WebhookSecret }>('POST', '/v1/webhooks/endpoints', {
    url,
    subscribedEvents: ['*'],
  });
  const endpointPath = `/v1/webhooks/endpoints/${created.endpoint.id}`;

  return {
    secret: created.secret.secret,
    /** Rotates the endpoint's secret. @returns the new one. */
    async rotate() {
      const { secret } = await call<{ secret: WebhookSecret }>('POST', `${endpointPath}/rotate-secret`);
      return secret.secret;
    },
    /** Moves the server's clock. */
    advance: (duration: string) => call('POST', '/_control/clock', { advance: duration }),
    /** Causes an event in the service. @returns the request that delivers it. */
    async delivery(): Promise<Sent> {
      const arrived = new Promise<Sent>((resolve) => waiting.push(resolve));
      const { workspaceId } = created.endpoint;
      await call('POST', '/_control/events', { workspaceId, type: 'lifecycle.evaluated' });
      return arrived;
    },
    async [Symbol.asyncDispose]() {
      await server.close();
      receiver.closeAllConnections();
      receiver.close();
    },
  };
}
