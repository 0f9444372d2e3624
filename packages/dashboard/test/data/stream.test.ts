import { STREAM_COMMENT_INTERVAL_MS } from '@svc/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { send } from '../../src/data/control.ts';
import { parseMessage, readStream, SILENCE_MAX_MS } from '../../src/data/stream.ts';

// Both modules need a browser, for the admin session.
vi.mock('../../src/data/control.ts', () => ({ send: vi.fn() }));
vi.mock('../../src/data/admin-session.ts', () => ({ needsSignIn: undefined }));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Reads a stream from a server that responds with `answer`. `asked` has the request times, in ms from the start. */
function read(answer: (turn: number) => Response) {
  const startedAt = Date.now();
  const asked: number[] = [];
  const told: string[] = [];
  vi.mocked(send).mockImplementation(async () => {
    asked.push(Date.now() - startedAt);
    return answer(asked.length);
  });
  const abort = new AbortController();
  const ended = readStream(abort.signal, ({ kind }) => told.push(kind));
  return { asked, told, abort, ended };
}

const away = () => new Response('', { status: 503 });
const hello = () => new Response('event: hello\ndata: {}\n\n');

test('a server that is down is asked again after 0.5 s, then less often, down to every 5 s', async () => {
  const { asked, told, abort, ended } = read(away);
  await vi.advanceTimersByTimeAsync(23_000);
  expect(asked).toEqual([0, 500, 1_500, 3_500, 7_500, 12_500, 17_500, 22_500]);
  expect(told).toEqual(asked.map(() => 'lost'));
  abort.abort();
  await ended;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(8);
});

test('a stream that ends after a message is requested again after 0.5 s', async () => {
  const { asked, told, abort, ended } = read((turn) => (turn === 4 ? hello() : away()));
  await vi.advanceTimersByTimeAsync(5_600);
  expect(asked).toEqual([0, 500, 1_500, 3_500, 4_000, 5_000]);
  expect(told).toEqual(['lost', 'lost', 'lost', 'hello', 'lost', 'lost', 'lost']);
  abort.abort();
  await ended;
});

test('a stream is lost when two comments of the server are missing', () => {
  expect(SILENCE_MAX_MS).toBe(2 * STREAM_COMMENT_INTERVAL_MS);
});

test('a stream is lost after 30 s without a message or a comment', async () => {
  let stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    stream = controller;
  };
  const silent = () => new Response(new ReadableStream({ start }));
  const { asked, told, abort, ended } = read(silent);
  await vi.advanceTimersByTimeAsync(29_999);
  stream?.enqueue(new TextEncoder().encode(': still here\n\n'));
  await vi.advanceTimersByTimeAsync(29_999);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['lost']);
  await vi.advanceTimersByTimeAsync(500);
  expect(asked).toEqual([0, 60_499]);
  abort.abort();
  await vi.advanceTimersByTimeAsync(30_000);
  await ended;
});

test('a comment and an event of another version are not messages', () => {
  expect(parseMessage(': still here')).toBeUndefined();
  expect(parseMessage('event: later\ndata: {}')).toBeUndefined();
  expect(parseMessage('event: changed\ndata: {"events":2}')).toEqual({ kind: 'changed', changed: { events: 2 } });
});
