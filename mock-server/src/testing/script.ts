import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from './received.ts';

/** An answer in short. */
export interface ShortAnswer {
  /** 204 by default, or 200 with a body. */
  status?: number | undefined;
  headers?: Record<string, string> | undefined;
  /** A string, or a value to send as JSON. */
  body?: unknown;
  /** How long the answer waits, in real time. */
  delayMs?: number | undefined;
}

/** An answer in short, or a function of the request. */
export type ScriptedAnswer = ShortAnswer | ((request: ReceivedRequest) => Response | Promise<Response>);

/** Answers that are used in turn; the last one repeats. */
export function createScript() {
  let left: ScriptedAnswer[] = [];
  return {
    set(...answers: ScriptedAnswer[]) {
      left = answers;
    },
    async answer(request: ReceivedRequest): Promise<Response> {
      const answer = (left.length > 1 ? left.shift() : left[0]) ?? {};
      if (typeof answer === 'function') return await answer(request);
      if (answer.delayMs) await sleep(answer.delayMs, undefined, { ref: false });
      return toResponse(answer);
    },
  };
}

function toResponse({ status, headers = {}, body }: ShortAnswer): Response {
  if (body === undefined) return new Response(null, { status: status ?? 204, headers });
  const isText = typeof body === 'string';
  const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
  return new Response(isText ? body : JSON.stringify(body), {
    status: status ?? 200,
    headers: { 'content-type': type, ...headers },
  });
}
