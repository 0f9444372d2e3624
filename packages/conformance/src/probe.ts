import { createHmac } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PATIENCE_MS } from './patience.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import type { Target } from './target.ts';
import { demo, seed } from './tenants.ts';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a check asserts the shape of the responses.
  body: any;
  text: string;
}

export interface CallOptions {
  as?: string;
  workspace?: string;
  body?: unknown;
  headers?: Record<string, string>;
  rawBody?: string;
}

/**
 * The functions with which a check talks to the service. Before each check, a service with the control API is reset to
 * the demo tenants.
 */
export interface Probe extends AsyncDisposable {
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** `body` is a value to send as JSON, or a string to send unchanged. */
  control(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>;
  receiver(status?: number): Promise<Receiver>;
  /** Starts a receiver that does not respond until `release` is called. */
  hold(): Promise<Receiver & { release(status: number): void }>;
  /** Creates the endpoint in the workspace Production. */
  endpoint(url: string, subscribedEvents?: string[]): Promise<{ id: string; secret: string }>;
  /** Creates an event `lifecycle.evaluated` in the workspace Production. */
  event(): Promise<{
    event: { id: string; created: string };
    deliveries: { id: string; endpointId: string; status: string }[];
  }>;
  settle(): Promise<void>;
  advance(duration: string): Promise<{ attempts: number; evaluations: number }>;
  freeze(): Promise<void>;
  delivery(id: string): Promise<ApiResponse['body']>;
  attempts(id: string): Promise<ApiResponse['body'][]>;
}

/** Calculates the signature of a received request as the service document describes. */
export function signatureOf(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64url');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

export async function createProbe(target: Target): Promise<Probe> {
  const receivers: Receiver[] = [];

  const probe: Probe = {
    call: (method, path, options = {}) => send(target, new URL(path, target.baseUrl).href, method, options),
    async control(method, path, body, headers = {}) {
      if (target.controlUrl === undefined) throw new Error('The check needs the control API.');
      return await send(target, `${target.controlUrl}${path}`, method, {
        ...(typeof body === 'string' ? { rawBody: body } : { body }),
        headers: { ...(method !== 'GET' && { 'content-type': 'application/json' }), ...headers },
        ...(target.adminToken !== undefined && { as: target.adminToken }),
      });
    },
    async receiver(status = 204) {
      const receiver = await startReceiver(status);
      receivers.push(receiver);
      return receiver;
    },
    hold: async () => {
      const receiver = await probe.receiver();
      const held: ServerResponse[] = [];
      receiver.respond = (response) => held.push(response);
      const release = (status: number) => {
        receiver.respond = undefined;
        receiver.status = status;
        for (const response of held.splice(0)) response.writeHead(status).end();
      };
      return Object.assign(receiver, { release });
    },
    async endpoint(url, subscribedEvents = ['lifecycle.*']) {
      const body = { url, subscribedEvents };
      const response = await probe.call('POST', '/v1/webhooks/endpoints', { as: demo.productionKey, body });
      if (response.status !== 201) throw new Error(`The endpoint was not created: ${response.text}`);
      return { id: response.body.endpoint.id, secret: response.body.secret.secret };
    },
    event: async () =>
      (await probe.control('POST', '/events', { workspaceId: demo.production, type: 'lifecycle.evaluated' })).body,
    async settle() {
      const { body } = await probe.control('POST', '/settle', {});
      if (!body.settled) throw new Error(`The engine did not settle: ${JSON.stringify(body)}`);
    },
    advance: async (duration) => (await probe.control('POST', '/clock', { advance: duration })).body.ran,
    async freeze() {
      await probe.control('POST', '/clock', { freeze: true });
    },
    delivery: async (id) =>
      (await probe.call('GET', `/v1/webhooks/deliveries/${id}`, { as: demo.productionKey })).body.delivery,
    attempts: async (id) => (await probe.control('GET', `/deliveries/${id}/attempts`)).body.attempts,
    async [Symbol.asyncDispose]() {
      for (const receiver of receivers) await receiver[Symbol.asyncDispose]();
      await target.tidy?.();
    },
  };
  if (target.controlUrl === undefined) return probe;
  const reset = await probe.control('POST', '/reset', { seed });
  if (reset.status !== 200) throw new Error(`The service could not be reset: ${reset.status} ${reset.text}`);
  return probe;
}

async function send(
  target: Target,
  url: string,
  method: string,
  { as, workspace, body, headers, rawBody }: CallOptions,
): Promise<ApiResponse> {
  const request = () =>
    new Request(url, {
      method,
      headers: {
        ...(as !== undefined && { authorization: `Bearer ${as}` }),
        ...(workspace !== undefined && { 'service-workspace-id': workspace }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  const response = await target.fetch(request()).catch((error: unknown) => {
    // If a service closes the connection before it has read the whole body, the network can lose the response (RFC
    // 9112, section 9.6), so send the request once more.
    if (rawBody === undefined) throw error;
    return target.fetch(request());
  });
  const text = await response.text();
  const isJson = text !== '' && response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
}
