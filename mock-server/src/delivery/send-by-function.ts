import { shortageOf, timeoutText } from './attempt-error.ts';
import type { SendAttempt } from './attempt-request.ts';
import { createBodyKeeper, keptHeaders } from './kept-answer.ts';

/** Sends each attempt to a function instead of the network, with the same deadline and limits. */
export function createFunctionSender(send: (request: Request) => Promise<Response>, timeoutMs: number): SendAttempt {
  return async ({ url, headers, body, timeoutMs: leftMs = timeoutMs }) => {
    const signal = AbortSignal.timeout(Math.ceil(leftMs));
    const given = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    try {
      const request = new Request(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      return { answer: await Promise.race([read(send(request)), given]) };
    } catch (error) {
      if (signal.aborted) return { error: timeoutText(timeoutMs) };
      const shortage = shortageOf((error as Error).cause);
      return shortage === undefined ? { error: 'Connection failed' } : { shortage };
    }
  };
}

async function read(sent: Promise<Response>) {
  const response = await sent;
  const body = createBodyKeeper();
  const reader = response.body?.getReader();
  for (let more = true; reader && more; ) {
    const { value, done } = await reader.read();
    more = !done && body.add(value);
    if (!done && !more) await reader.cancel();
  }
  return { status: response.status, headers: keptHeaders(response.headers), body: body.text() };
}
