import { bodyNotRaw, type WebhookBody } from './body.ts';
import { bodyAlreadyRead } from './body-already-read.ts';
import { createByteCollector } from './byte-collector.ts';

/** What is needed of Node's `IncomingMessage`, and of the requests that frameworks make of it. */
export interface NodeRequest {
  method?: string | undefined;
  headers: { readonly [name: string]: string | string[] | undefined };
  /** Whether the stream was read by somebody. */
  readonly readableDidRead: boolean;
  on(event: string, listener: (piece: Uint8Array) => void): unknown;
  off(event: string, listener: (piece: Uint8Array) => void): unknown;
  pause(): unknown;
  /** The raw bytes, where a platform or a body parser keeps them. */
  rawBody?: unknown;
  /** What a body parser made of the body; bytes and text are taken. */
  body?: unknown;
}

/** Gives the body of a Node request: what is left of it by those who read it before, or else the stream, up to `maxBytes`. */
export async function readNodeBody(request: NodeRequest, maxBytes: number): Promise<WebhookBody> {
  if (isRaw(request.rawBody)) return request.rawBody;
  if (!request.readableDidRead) return readStream(request, maxBytes);
  if (isRaw(request.body)) return request.body;
  throw request.body === undefined ? bodyAlreadyRead() : bodyNotRaw();
}

function isRaw(body: unknown): body is string | Uint8Array {
  return typeof body === 'string' || ArrayBuffer.isView(body);
}

/** Listens, and does not iterate: leaving an iteration early destroys the socket on which the refusal has to go back. */
function readStream(request: NodeRequest, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const collected = createByteCollector(maxBytes);
    const settle = (act: () => void) => () => {
      for (const [event, listener] of Object.entries(listeners)) request.off(event, listener);
      act();
    };
    const fail = (error: unknown) =>
      settle(() => {
        request.pause();
        reject(error);
      })();
    const listeners = {
      data(piece: Uint8Array) {
        try {
          collected.add(piece);
        } catch (error) {
          fail(error);
        }
      },
      end: settle(() => resolve(collected.join())),
      error: fail,
      close: () => fail(new Error('The sender closed the connection before the end of the body.')),
    };
    for (const [event, listener] of Object.entries(listeners)) request.on(event, listener);
  });
}
