import type { LoggedAttempt } from '@svc/contract/control/resources';
import type { Finding } from '@svc/webhooks/diagnose';
import type { Captured } from './captured.ts';

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;

/** Compares a captured request with the attempt that has the same timestamp, or otherwise with the last attempt. */
export function compare(captured: Captured, attempts: readonly LoggedAttempt[], sentBody: string): Finding[] {
  const timestamp = captured.headers.get('webhook-timestamp');
  const sameTime = attempts.find(({ request }) => headerOf(request.headers, 'webhook-timestamp') === timestamp);
  const attempt = sameTime ?? attempts.at(-1);
  if (!attempt) return [{ what: 'attempts', ok: false, detail: 'the server has made no attempt yet.' }];
  const headers = SIGNED.map((name): Finding => {
    const sent = headerOf(attempt.request.headers, name);
    const got = captured.headers.get(name);
    if (got === sent) return { what: name, ok: true, detail: `as sent with attempt ${attempt.number}` };
    return {
      what: name,
      ok: false,
      detail: `the server sent ${sent ?? 'none'}, but the receiver got ${got ?? 'none'}.`,
    };
  });
  return [...headers, compareBodies(captured, Buffer.from(sentBody))];
}

function compareBodies({ body, reserialized }: Captured, sent: Buffer): Finding {
  if (body.equals(sent)) return { what: 'body', ok: true, detail: `${sent.length} bytes, as sent` };
  if (reserialized) {
    return {
      what: 'body',
      ok: false,
      detail: 'the captured request has only the JSON value of the body. To compare the bodies, capture the raw bytes.',
    };
  }
  const at = [...sent].findIndex((byte, index) => body[index] !== byte);
  const where = at === -1 ? sent.length : at;
  const part = (bytes: Buffer) => JSON.stringify(bytes.subarray(where, where + 20).toString('utf8'));
  return {
    what: 'body',
    ok: false,
    detail: `the server sent ${sent.length} bytes, but the receiver got ${body.length}. The bodies first differ at byte ${where}: sent ${part(sent)}, got ${part(body)}. Verify the raw body, before any parser changes it.`,
  };
}

function headerOf(headers: Record<string, string>, name: string): string | undefined {
  return Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
}
