import type { LoggedAttempt } from '@svc/contract/control/resources';
import { type Finding, parseCapturedRequest, readInput } from '@svc/webhooks/diagnose';
import { UsageError } from '../exit-codes.ts';

export interface Captured {
  headers: ReadonlyMap<string, string>;
  body: Buffer;
  /** Whether only the JSON value of the body was captured, so that `body` may differ from the bytes that were sent. */
  reserialized: boolean;
}

export async function readCaptured(file: string): Promise<Captured> {
  const bytes = await readInput(file);
  if (bytes.toString().trim() === '') {
    throw new UsageError(`${file} is empty. It must contain a request: raw HTTP, a curl command, or JSON.`);
  }
  const { headers, body, reserialized } = parseCapturedRequest(bytes);
  const pairs: Iterable<readonly unknown[]> =
    Symbol.iterator in Object(headers) ? (headers as Iterable<readonly unknown[]>) : Object.entries(headers);
  const oneEach = [...pairs].map(([name, value]) => [String(name).toLowerCase(), [value].flat().join(' ')] as const);
  return { headers: new Map(oneEach), body: Buffer.from(body as string), reserialized };
}

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

export function compare(captured: Captured, attempts: readonly LoggedAttempt[], sentBody: string): Finding[] {
  const timestamp = captured.headers.get('webhook-timestamp');
  const sameTime = attempts.find(({ request }) => request.headers['webhook-timestamp'] === timestamp);
  const attempt = sameTime ?? attempts.at(-1);
  if (!attempt) return [wrong('attempts', 'the server has made no attempt yet.')];
  const headers = SIGNED.map((name) => {
    const sent = attempt.request.headers[name];
    const got = captured.headers.get(name);
    if (got === sent) return right(name, `as sent with attempt ${attempt.number}`);
    return wrong(name, `the server sent ${sent ?? 'none'}, but the receiver got ${got ?? 'none'}.`);
  });
  return [...headers, compareBodies(captured, Buffer.from(sentBody))];
}

function compareBodies({ body, reserialized }: Captured, sent: Buffer): Finding {
  if (body.equals(sent)) return right('body', `${sent.length} bytes, as sent`);
  if (reserialized) {
    return wrong(
      'body',
      'the captured request has only the JSON value of the body. To compare the bodies, capture the raw bytes.',
    );
  }
  const at = [...sent].findIndex((byte, index) => body[index] !== byte);
  const where = at === -1 ? sent.length : at;
  const part = (bytes: Buffer) => JSON.stringify(bytes.subarray(where, where + 20).toString('utf8'));
  return wrong(
    'body',
    `the server sent ${sent.length} bytes, but the receiver got ${body.length}. The bodies first differ at byte ${where}: sent ${part(sent)}, got ${part(body)}. Verify the raw body, before any parser changes it.`,
  );
}

export const right = (what: string, detail: string): Finding => ({ what, ok: true, detail });
export const wrong = (what: string, detail: string): Finding => ({ what, ok: false, detail });
