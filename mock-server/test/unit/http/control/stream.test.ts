import { STREAM_COMMENT_INTERVAL_MS } from '@svc/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { streamHandlers } from '../../../../src/http/control/stream.ts';
import { createChangeStream } from '../../../../src/runtime/change-stream.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('without changes, the stream sends comments until its request is aborted', async () => {
  const aborting = new AbortController();
  const services = {
    changes: createChangeStream(false),
    about: { instanceId: 'id', version: () => '1.0.0', keepsData: false },
    timeline: { latestReset: () => undefined },
    clock: { now: () => 0, offsetMs: 0, state: { frozenAt: null } },
  };
  const call = { services, signal: aborting.signal } as unknown as Parameters<typeof streamHandlers.readStream>[0];
  const reader = (await streamHandlers.readStream(call)).body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toContain('event: hello');
  for (let comments = 0; comments < 2; comments++) {
    const read = reader?.read();
    await vi.advanceTimersByTimeAsync(STREAM_COMMENT_INTERVAL_MS);
    expect((await read)?.value).toBe(':\n\n');
  }
  const last = reader?.read();
  aborting.abort();
  expect((await last)?.done).toBe(true);
});
