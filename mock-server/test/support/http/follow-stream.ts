import { expect, vi } from 'vitest';
import type { TestApi } from '../api.ts';

/** A message of the stream. */
export interface Message {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests compare whole messages.
  data: any;
  at: number;
}

/** Reads the stream of a server until it is disposed of. */
export async function followStream(
  on: TestApi,
  credential?: string,
): Promise<{ messages: Message[]; ended: Promise<void> } & AsyncDisposable> {
  const abort = new AbortController();
  const response = await fetch(new URL('/_control/stream', on.server.url), {
    signal: abort.signal,
    headers: credential === undefined ? {} : { authorization: `Bearer ${credential}` },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const messages: Message[] = [];
  const read = async () => {
    let text = '';
    for await (const chunk of (response.body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const parts = text.split('\n\n');
      text = parts.pop() ?? '';
      for (const part of parts) {
        const [, event = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? [];
        if (event) messages.push({ event, data: JSON.parse(data), at: performance.now() });
      }
    }
  };
  const ended = read().catch(() => {});
  await vi.waitFor(() => expect(messages[0]?.event).toBe('hello'));
  return {
    messages,
    ended,
    async [Symbol.asyncDispose]() {
      abort.abort();
      await ended;
    },
  };
}
