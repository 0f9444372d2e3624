import { shortageOf, timeoutText } from './attempt-error.ts';
import type { ReceiverResponse, SendAttempt } from './attempt-request.ts';
import { createBodyKeeper, keptHeaders } from './kept-response.ts';

/** Passes each attempt to a function. The deadline and the limits are the same as for attempts over the network. */
export function createFunctionSender(send: (request: Request) => Promise<Response>, timeoutMs: number): SendAttempt {
  return async ({ url, headers, body, timeoutMs: leftMs = timeoutMs }) => {
    const signal = AbortSignal.timeout(Math.ceil(leftMs));
    const given = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
    const reading = createReading();
    try {
      const request = new Request(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      return { response: await Promise.race([reading.read(send(request)), given]) };
    } catch (error) {
      const response = reading.received();
      if (signal.aborted) return { error: timeoutText(timeoutMs), response };
      const shortage = shortageOf((error as Error).cause);
      return shortage === undefined ? { error: 'Connection failed', response } : { shortage };
    }
  };
}

/** Reads one response, and keeps the part that has arrived. */
function createReading() {
  const body = createBodyKeeper();
  let head: Omit<ReceiverResponse, 'body'> | undefined;
  return {
    received: (): ReceiverResponse | undefined => head && { ...head, body: body.text() },
    async read(sent: Promise<Response>): Promise<ReceiverResponse> {
      const response = await sent;
      head = { status: response.status, headers: keptHeaders(response.headers) };
      for await (const chunk of response.body ?? []) if (!body.add(chunk)) break;
      return { ...head, body: body.text() };
    },
  };
}
