import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { RESPONSE_BODY_KEPT_BYTES } from '@svc/contract';
import { Agent, request } from 'undici';
import { readAtMost } from '../read-at-most.ts';

/**
 * Headers that belong to a connection (RFC 9110, 7.6.1), and headers that undici sets itself (`host`, `content-length`)
 * or rejects (`expect`).
 */
const OF_CONNECTION =
  /^(?:connection|keep-alive|proxy-connection|te|transfer-encoding|upgrade|host|content-length|expect)$/i;

/** The target's response, or a response from the command itself. */
export interface TargetResponse {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  durationMs: number;
  /** Why the target did not respond, or null if it responded. Without a response, the status is 502. */
  error: string | null;
}

/** This timeout is longer than the service's, so that the service times out first. */
const TIMEOUT_MS = 11_000;

function reasonOf({ name, code = '', message }: NodeJS.ErrnoException, timeoutMs: number): string {
  if (code === 'ECONNREFUSED') return 'Connection refused';
  if (name === 'TimeoutError') return `No complete response within ${timeoutMs / 1_000} s`;
  return /CERT|LEAF_SIGNATURE/.test(code) ? `${message}. To accept any certificate, pass --skip-verify-tls` : message;
}

/** Sends deliveries to a URL, byte for byte. Returns only as much of each response as the service would store. */
export function createForwarder(
  target: string,
  { verifyTls, timeoutMs = TIMEOUT_MS }: { verifyTls: boolean; timeoutMs?: number },
) {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: verifyTls } });
  return {
    async forward(headers: IncomingHttpHeaders, body: Buffer): Promise<TargetResponse> {
      const begunAt = performance.now();
      const durationMs = () => Math.round(performance.now() - begunAt);
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const options = { method: 'POST', headers: ofMessage(headers), body, dispatcher, signal } as const;
        const response = await request(target, options);
        const received = { status: response.statusCode, headers: ofMessage(response.headers), error: null };
        const bytes = await readAtMost(response.body, RESPONSE_BODY_KEPT_BYTES);
        return { ...received, body: bytes, durationMs: durationMs() };
      } catch (cause) {
        const error = reasonOf(cause as NodeJS.ErrnoException, timeoutMs);
        const bytes = Buffer.from(`svc-mock listen: ${error}\n`);
        return { status: 502, headers: {}, body: bytes, durationMs: durationMs(), error };
      }
    },
    [Symbol.asyncDispose]: () => dispatcher.destroy(),
  };
}

function ofMessage(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OF_CONNECTION.test(name) || value === undefined ? [] : [[name, value]],
    ),
  );
}

/**
 * Starts a server on this machine that passes each delivery to `take`. The server's URL is hard to guess: otherwise, a
 * web page that finds the port could send fake deliveries, and could reach the target through this server.
 */
export async function startLocalReceiver(
  take: (headers: IncomingHttpHeaders, body: Buffer) => Promise<TargetResponse>,
): Promise<AsyncDisposable & { url: string }> {
  const path = `/${randomBytes(16).toString('hex')}`;
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method !== 'POST' || incoming.url !== path) {
      outgoing.writeHead(404, { connection: 'close' }).end();
      return;
    }
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const { status, headers, body } = await take(incoming.headers, Buffer.concat(chunks));
      outgoing.writeHead(status, headers).end(body);
    } catch {
      outgoing.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}${path}`,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      setTimeout(() => server.closeAllConnections(), 500).unref();
      await closed;
    },
  };
}
