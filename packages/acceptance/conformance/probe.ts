import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** A service under test: where it answers, and how it is reached. */
export interface Target {
  name: string;
  baseUrl: string;
  controlUrl: string;
  /** The global `fetch`, or a handler in this process. */
  fetch(request: Request): Promise<Response>;
  /** Of the control API, where the server has one. */
  adminToken?: string | undefined;
}

/** A call's answer, its body parsed. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a check asserts the shape of what it reads.
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

/** A request that a receiver got. */
export interface Received {
  headers: Record<string, string>;
  body: string;
}

/** A receiver on this machine. */
export interface Receiver {
  url: string;
  received: Received[];
  /** What it answers with; may be changed. */
  status: number;
}

/** What a check works with: a service with the demo tenants, fresh from a reset. */
export interface Probe extends AsyncDisposable {
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  receiver(status?: number): Promise<Receiver>;
  /** Creates an endpoint in Production. */
  endpoint(url: string, subscribedEvents?: string[]): Promise<{ id: string; secret: string }>;
  /** Causes a `lifecycle.evaluated` in Production. */
  event(): Promise<{
    event: { id: string; created: string };
    deliveries: { id: string; endpointId: string; status: string }[];
  }>;
  settle(): Promise<void>;
  advance(duration: string): Promise<{ attempts: number; evaluations: number }>;
  freeze(): Promise<void>;
  delivery(id: string): Promise<Answer['body']>;
}

/** The tenants and credentials of the demo seed. */
export const demo = {
  acme: 'org_01DEM0000000000000000ACME0',
  production: 'wsp_01DEM00000000000000PR0D000',
  staging: 'wsp_01DEM0000000000000STAG1NG0',
  globex: 'wsp_01DEM000000000000G10BEX000',
  productionKey: 'svc_sk_test_demo_acme_production',
  stagingKey: 'svc_sk_test_demo_acme_staging',
  globexKey: 'svc_sk_test_demo_globex_main',
  owner: 'svc_pat_test_demo_acme_owner',
  admin: 'svc_pat_test_demo_acme_admin',
  viewer: 'svc_pat_test_demo_acme_viewer',
  stranger: 'svc_pat_test_demo_globex_owner',
} as const;

/** The signature, computed from the document's words. */
export function signatureOf(secret: string, { headers, body }: Received): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64url');
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Resets the service to the demo tenants and gives the tools to ask it. */
export async function createProbe(target: Target): Promise<Probe> {
  const cleanup = new AsyncDisposableStack();

  async function send(
    url: string,
    method: string,
    { as, workspace, body, headers, rawBody }: CallOptions,
  ): Promise<Answer> {
    const response = await target.fetch(
      new Request(url, {
        method,
        headers: {
          ...(as !== undefined && { authorization: `Bearer ${as}` }),
          ...(workspace !== undefined && { 'service-workspace-id': workspace }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        body: rawBody ?? (body === undefined ? null : JSON.stringify(body)),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json');
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined };
  }

  const probe: Probe = {
    call: (method, path, options = {}) => send(new URL(path, target.baseUrl).href, method, options),
    control: (method, path, body) =>
      send(`${target.controlUrl}${path}`, method, {
        body,
        ...(target.adminToken !== undefined && { as: target.adminToken }),
      }),
    async receiver(status = 204) {
      const received: Received[] = [];
      const server = createServer(async (request, response) => {
        let body = '';
        for await (const chunk of request) body += chunk;
        received.push({ headers: request.headers as Record<string, string>, body });
        response.writeHead(receiver.status).end(receiver.status === 204 ? undefined : 'answer');
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      cleanup.defer(() => {
        server.closeAllConnections();
        server.close();
      });
      const { port } = server.address() as { port: number };
      const receiver: Receiver = { url: `http://127.0.0.1:${port}/hook`, received, status };
      return receiver;
    },
    async endpoint(url, subscribedEvents = ['lifecycle.*']) {
      const body = { url, subscribedEvents };
      const answer = await probe.call('POST', '/v1/webhooks/endpoints', { as: demo.productionKey, body });
      if (answer.status !== 201) throw new Error(`The endpoint was not created: ${answer.text}`);
      return { id: answer.body.endpoint.id, secret: answer.body.secret.secret };
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
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  };

  const reset = await probe.control('POST', '/reset', {});
  if (reset.status !== 200) throw new Error(`The service could not be reset: ${reset.status} ${reset.text}`);
  return probe;
}
