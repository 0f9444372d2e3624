import { EventEmitter, once } from 'node:events';
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
  const arrivals = new EventEmitter().setMaxListeners(0);
  let returned = 0;
  return {
    requests: requests as readonly ReceivedRequest[],
    add(request: ReceivedRequest): void {
      requests.push(request);
      arrivals.emit('request');
    },
    async next(options: { timeoutMs?: number | undefined } = {}): Promise<ReceivedRequest> {
      checkOptionNames(options, ['timeoutMs']);
      const { timeoutMs = WAIT_TIMEOUT_MS } = options;
      const waiting = new AbortController();
      const timer = setTimeout(() => waiting.abort(), timeoutMs);
      try {
        // Wait in a loop: if several calls wait, another call may take the request that arrives.
        while (returned >= requests.length) await once(arrivals, 'request', { signal: waiting.signal });
        return requests[returned++] as ReceivedRequest;
      } catch {
        const count = requests.length === 1 ? '1 request' : `${requests.length} requests`;
        const message = `The receiver got no new request within ${timeoutMs} ms.`;
        throw new WaitError(`${message} The receiver has received ${count} in all.`);
      } finally {
        clearTimeout(timer);
      }
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

/** A response as a plain object, or a function that gets a request and returns a plain object or a `Response`. */
export type ScriptedResponse =
  | ShortResponse
  | ((request: ReceivedRequest) => Response | ShortResponse | Promise<Response | ShortResponse>);

/** A handler in the form that Next, Hono and Workers use, such as `webhooks.fetch`. */
export type FetchHandler = (request: Request) => Response | Promise<Response>;

type Responder = (request: ReceivedRequest, body: Uint8Array<ArrayBuffer>) => Response | Promise<Response>;

function createScript() {
  let left: Responder[] = [];
  return {
    respond(...responses: ScriptedResponse[]) {
      left = responses.map((one) => (typeof one === 'function' ? calling(one) : sending(one)));
    },
    forward(handler: FetchHandler) {
      if (typeof handler !== 'function') {
        throw new TypeError('forward requires a function from a Request to a Response, such as webhooks.fetch.');
      }
      left = [
        ({ method, url, headers }, body) =>
          handler(new Request(url, { method, headers, body: method === 'GET' || method === 'HEAD' ? null : body })),
      ];
    },
    /** Returns the responder for the next request. */
    next: (): Responder => (left.length > 1 ? left.shift() : left[0]) ?? sending({}),
  };
}

/** Recognizes a `Response` by one of its methods, because a test may use another library's class. */
const isResponse = (value: Response | ShortResponse): value is Response =>
  typeof (value as Partial<Response> | undefined)?.arrayBuffer === 'function';

function calling(respond: Extract<ScriptedResponse, (request: ReceivedRequest) => unknown>): Responder {
  return async (request, body) => {
    const returned = await respond(request);
    return isResponse(returned) ? returned : await sending(returned)(request, body);
  };
}

function sending(response: ShortResponse): Responder {
  if (typeof response !== 'object' || response === null) {
    throw new TypeError('A response must be a Response, or an object such as { status: 503 }.');
  }
  checkOptionNames(response, ['status', 'headers', 'body', 'delayMs']);
  const { status, headers = {}, body, delayMs } = response;
  return async () => {
    if (delayMs) await sleep(delayMs, undefined, { ref: false });
    if (body === undefined) return new Response(null, { status: status ?? 204, headers });
    const isText = typeof body === 'string';
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
    return new Response(isText ? body : JSON.stringify(body), {
      status: status ?? 200,
      headers: { 'content-type': type, ...headers },
    });
  };
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
   * Sets the responses to the next requests, in order. All later requests get the last response. Replaces the responses
   * that earlier calls set.
   */
  respond(...responses: ScriptedResponse[]): void;
  /**
   * Passes every request to your handler, such as `webhooks.fetch`, and sends the handler's response. The handler gets
   * the body byte for byte. `respond()` and `clear()` end the forwarding.
   */
  forward(handler: FetchHandler): void;
  /**
   * Waits for the next request that no earlier call of `next()` has returned.
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
    const request = toReceived(incoming, body, url);
    received.add(request);
    const response = await script.next()(request, body);
    // A function may return the same response every time, so read a copy. Read the copy before the head is sent: if
    // reading fails, the sender gets a 500 with the reason.
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
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
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
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])),
    body: text,
    json: () => JSON.parse(text),
  };
}
