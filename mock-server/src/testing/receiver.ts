import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { checkOptionNames } from '../config/config.ts';
import { WAIT_TIMEOUT_MS, WaitError } from './waits.ts';

/** A request that arrived at a receiver. */
export interface ReceivedRequest {
  method: string;
  url: string;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  /** The raw body, decoded as UTF-8. */
  body: string;
  /** Parses the body. @throws SyntaxError if the body is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of the value, and their assertions check the fields.
  json<Value = any>(): Value;
}

function createReceivedQueue() {
  const requests: ReceivedRequest[] = [];
  const waiting: ((request: ReceivedRequest) => void)[] = [];
  let returned = 0;
  return {
    requests: requests as readonly ReceivedRequest[],
    add(request: ReceivedRequest): ReceivedRequest {
      requests.push(request);
      const first = waiting.shift();
      if (first) {
        returned++;
        first(request);
      }
      return request;
    },
    async next(options: { timeoutMs?: number | undefined } = {}): Promise<ReceivedRequest> {
      checkOptionNames(options, ['timeoutMs']);
      const { timeoutMs = WAIT_TIMEOUT_MS } = options;
      const known = requests[returned];
      if (known) {
        returned++;
        return known;
      }
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.splice(waiting.indexOf(give), 1);
          const count = requests.length === 1 ? '1 request' : `${requests.length} requests`;
          const message = `The receiver got no new request within ${timeoutMs} ms.`;
          reject(new WaitError(`${message} The receiver has received ${count} in all.`));
        }, timeoutMs);
        const give = (request: ReceivedRequest) => {
          clearTimeout(timer);
          resolve(request);
        };
        waiting.push(give);
      });
    },
    clear(): void {
      requests.length = 0;
      returned = 0;
    },
  };
}

/** A response that a receiver sends, as a plain object. */
export interface ShortResponse {
  /** The status. Default: 204, or 200 if there is a body. */
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** A string, or a value to send as JSON. */
  body?: unknown;
  /** The delay of the response, in milliseconds of real time. */
  delayMs?: number | undefined;
}

/** A response as a plain object, or a function that returns the response to a request in one of the two forms. */
export type ScriptedResponse =
  | ShortResponse
  | ((request: ReceivedRequest) => Response | ShortResponse | Promise<Response | ShortResponse>);

/** A handler in the form that Next, Hono and Workers use, such as `webhooks.fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

function createScript() {
  let left: ScriptedResponse[] = [];
  let handler: FetchHandler | undefined;
  return {
    respond(...responses: ScriptedResponse[]) {
      for (const response of responses) if (typeof response !== 'function') checkShort(response);
      left = responses;
      handler = undefined;
    },
    forward(to: FetchHandler) {
      if (typeof to !== 'function') {
        throw new TypeError('forward requires a function from a Request to a Response, such as webhooks.fetch.');
      }
      handler = to;
    },
    async respondTo(request: ReceivedRequest, body: Uint8Array<ArrayBuffer>): Promise<Response> {
      if (handler) return await handler(toRequest(request, body));
      const response = (left.length > 1 ? left.shift() : left[0]) ?? {};
      if (typeof response !== 'function') return await sendShort(response);
      const returned = await response(request);
      if (isResponse(returned)) return returned;
      checkShort(returned);
      return await sendShort(returned);
    },
  };
}

/** Recognizes a `Response` by its method, because the test may use the class of another library. */
const isResponse = (value: Response | ShortResponse): value is Response =>
  typeof (value as Partial<Response> | undefined)?.arrayBuffer === 'function';

function checkShort(response: ShortResponse): void {
  if (typeof response !== 'object' || response === null) {
    throw new TypeError('A response must be a Response, or an object such as { status: 503 }.');
  }
  checkOptionNames(response, ['status', 'headers', 'body', 'delayMs']);
}

async function sendShort(response: ShortResponse): Promise<Response> {
  if (response.delayMs) await sleep(response.delayMs, undefined, { ref: false });
  return toResponse(response);
}

function toRequest({ method, url, headers }: ReceivedRequest, body: Uint8Array<ArrayBuffer>): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(url, { method, headers, body: hasBody ? body : null });
}

function toResponse({ status, headers = {}, body }: ShortResponse): Response {
  if (body === undefined) return new Response(null, { status: status ?? 204, headers });
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return new Response(isText ? body : JSON.stringify(body), {
    status: status ?? 200,
    headers: { 'content-type': type, ...headers },
  });
}

/** Options for a receiver. */
export interface ReceiverOptions {
  /** The port to listen on. Default: 0, which picks a free port. */
  port?: number | undefined;
  /** The path of the receiver's URL. Default: `/webhooks`. The receiver also responds on all other paths. */
  path?: string | undefined;
}

/** A real HTTP receiver on loopback. It records requests, and sends the responses that you set (default: 204). */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  /** Every request since the start or the last `clear()`, in the order of arrival. */
  readonly requests: readonly ReceivedRequest[];
  /**
   * Sets the responses to the next requests, in order. The last response repeats. Replaces the responses that earlier
   * calls set.
   */
  respond(...responses: ScriptedResponse[]): void;
  /**
   * Passes every request to your handler, such as `webhooks.fetch`, and sends the handler's response. The handler gets
   * the body byte for byte. `respond()` and `clear()` end the forwarding.
   */
  forward(handler: FetchHandler): void;
  /**
   * Waits for the next request that no earlier call of `next()` returned.
   *
   * @throws WaitError if no request arrives within `timeoutMs` (default: 4,000).
   */
  next(options?: { timeoutMs?: number | undefined }): Promise<ReceivedRequest>;
  /** Removes all recorded requests, and all responses that you have set. */
  clear(): void;
  close(): Promise<void>;
}

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
    // A function may return the same response every time, so read a copy. Read it before the head is sent: if reading
    // fails, the sender gets a 500 with the reason.
    const content = response.body === null ? undefined : Buffer.from(await response.clone().arrayBuffer());
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(content);
  }

  // The process can exit even if a test forgets to close the receiver.
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
