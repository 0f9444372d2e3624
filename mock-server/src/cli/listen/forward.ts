import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'undici';

/** Headers of a connection, not of a message (RFC 9110, 7.6.1), and those that the new connection sets. */
const OF_CONNECTION = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
  'host',
  'content-length',
  'expect',
]);

/** What a target answered. */
export interface Forwarded {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  durationMs: number;
  /** Why there is no answer of the target; the status is then 502. */
  error: string | null;
}

/** Longer than the service waits, so that its time-out is the one that counts. */
const TIMEOUT_MS = 11_000;

function reasonOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code === 'ECONNREFUSED') return 'Connection refused';
  return /CERT|LEAF_SIGNATURE/.test(code) ? `${message}. To accept any certificate, pass --skip-verify-tls` : message;
}

/** Sends deliveries on to a URL, byte for byte. */
export function createForwarder(target: string, { verifyTls }: { verifyTls: boolean }) {
  const dispatcher = new Agent({
    connect: { rejectUnauthorized: verifyTls },
    bodyTimeout: TIMEOUT_MS,
    headersTimeout: TIMEOUT_MS,
  });
  return {
    async forward(headers: IncomingHttpHeaders, body: Buffer): Promise<Forwarded> {
      const begunAt = performance.now();
      const took = () => Math.round(performance.now() - begunAt);
      try {
        const answer = await request(target, { method: 'POST', headers: ofMessage(headers), body, dispatcher });
        const bytes = Buffer.from(await answer.body.arrayBuffer());
        return {
          status: answer.statusCode,
          headers: ofMessage(answer.headers),
          body: bytes,
          durationMs: took(),
          error: null,
        };
      } catch (error) {
        const text = reasonOf(error as NodeJS.ErrnoException);
        return {
          status: 502,
          headers: {},
          body: Buffer.from(`svc-mock listen: ${text}\n`),
          durationMs: took(),
          error: text,
        };
      }
    },
    close: () => dispatcher.destroy(),
  };
}

function ofMessage(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      OF_CONNECTION.has(name.toLowerCase()) || value === undefined ? [] : [[name, value]],
    ),
  );
}
