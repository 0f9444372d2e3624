import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { checkOptionNames } from '../config/config.ts';
import { createReceivedQueue, type ReceivedRequest } from './received.ts';
import { createScript, type FetchHandler, type ScriptedResponse } from './script.ts';

/** Options for a receiver. */
export interface ReceiverOptions {
  /** The port to listen on. Default: 0, which picks a free port. */
  port?: number | undefined;
  /** The path of the receiver's URL. Default: `/webhooks`. The receiver responds on every path. */
  path?: string | undefined;
}

/**
 * A real HTTP receiver on loopback. It records requests, and sends the responses that you set. By default, it responds
 * with 204.
 */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Every request since the start or the last `clear()`, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /** Sets the responses to the next requests, in order. The last response repeats. Replaces all earlier responses. */
  respond(...responses: ScriptedResponse[]): void;
  /**
   * Passes every request, byte for byte, to your handler, such as `webhooks.fetch`, and sends the response that the
   * handler returns. `respond()` and `clear()` end the forwarding.
   */
  forward(handler: FetchHandler): void;
  /**
   * Waits for the next request that no earlier call of `next()` returned.
   *
   * @throws WaitError if no request arrives within `timeoutMs` (default: 4,000).
   */
  next(options?: { timeoutMs?: number | undefined }): Promise<ReceivedRequest>;
  /** Removes all recorded requests and set responses. */
  clear(): void;
  close(): Promise<void>;
}

/** Starts a receiver on loopback. */
export async function startReceiver(options: ReceiverOptions = {}): Promise<Receiver> {
  checkOptionNames(options, ['port', 'path']);
  const { port = 0, path = '/webhooks' } = options;
  const received = createReceivedQueue();
  const script = createScript();
  const server = createServer((incoming, outgoing) => {
    take(incoming, outgoing).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      if (!outgoing.headersSent) outgoing.writeHead(500).end(`The receiver's response failed: ${text}`);
    });
  });

  async function take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const response = await script.respondTo(received.add(toReceived(incoming, body, url)), body);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(response.body === null ? undefined : Buffer.from(await response.arrayBuffer()));
  }

  // Let the process exit even if a test forgets to close the receiver.
  server.on('connection', (socket) => socket.unref());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.unref();
  const { port: listening } = server.address() as { port: number };
  const url = new URL(path, `http://127.0.0.1:${listening}`).href;
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    closed ??= new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    url,
    requests: received.requests,
    respond: script.respond,
    forward: script.forward,
    next: received.next,
    clear() {
      received.clear();
      script.respond();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

function toReceived({ method = '', url = '/', headers }: IncomingMessage, body: Buffer, base: string): ReceivedRequest {
  const text = body.toString('utf8');
  return {
    method,
    url: new URL(url, base).href,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
    ),
    body: text,
    json: () => JSON.parse(text),
  };
}
