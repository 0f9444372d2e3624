import { fetch } from 'undici';
import { createControlClient } from '../control-client/client.ts';
import { type IssuedCredential, startServer } from '../index.ts';
import { Cleanup } from '../runtime/cleanup.ts';
import { checkWhole, type MockServiceOptions, toConfig } from './options.ts';
import { type Receiver, type ReceiverOptions, startReceiver } from './receiver.ts';
import { createTools, type MockServiceTools } from './tools.ts';

/** A service that runs in this process, for tests. `await using` closes the service. */
export interface MockService extends MockServiceTools, AsyncDisposable {
  /** The base URL of the API, without a trailing slash. */
  readonly url: string;
  readonly port: number;
  /** The credentials of the seed. */
  readonly credentials: readonly IssuedCredential[];
  /** Starts a real HTTP receiver on loopback. The receiver closes when the service closes. */
  receiver(options?: ReceiverOptions): Promise<Receiver>;
  close(): Promise<void>;
}

/**
 * Starts the whole service in this process, by default in memory, on a free port and without rate limits. The process
 * can exit even if the service is not closed.
 *
 * @throws ConfigError if an option is invalid.
 */
export async function startMockService(
  options: MockServiceOptions & { /** Default: 0, a free port. */ port?: number | undefined } = {},
): Promise<MockService> {
  const { port = 0 } = options;
  const config = toConfig(options, ['port']);
  checkWhole('port', port, 65_535);
  const server = await startServer({ ...config, port });
  server.unref();
  const receivers = new Cleanup();
  // Keep the receivers open until all deliveries in flight have received a response.
  const close = () => server.close().finally(() => receivers[Symbol.asyncDispose]());
  return {
    ...createTools(createControlClient({ baseUrl: server.url, fetch: ownFetch })),
    url: server.url,
    port: server.port,
    credentials: server.credentials,
    receiver: async (receiverOptions) => receivers.use(await startReceiver(receiverOptions)),
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Tests or MSW may replace the global `fetch`, and the `fetch` of happy-dom rejects requests to other origins. */
async function ownFetch(request: Request): Promise<Response> {
  const { url, method, headers } = request;
  const body = method === 'GET' || method === 'DELETE' ? null : await request.text();
  return (await fetch(url, { method, headers: [...headers], body })) as unknown as Response;
}
