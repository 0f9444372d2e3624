import { addAbortListener } from 'node:events';
import { ReadableStream, TextEncoderStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_COMMENT_INTERVAL_MS } from '@svc/contract';
import type { ChangesMessage, HelloMessage, StreamClock } from '@svc/contract/control/resources';
import type { Session } from '../../domain/dashboard-session.ts';
import type { ChangeListener } from '../../runtime/change-stream.ts';
import { toTimestamp } from '../present.ts';
import type { Services } from '../services.ts';
import type { ControlHandlers } from './operation.ts';

const INTERVAL_MS = 250;

export const streamHandlers = {
  async readStream({ services, signal, session }) {
    const stream = ReadableStream.from(messages(services, signal, session)).pipeThrough(new TextEncoderStream());
    return new Response(stream as ConstructorParameters<typeof Response>[0], {
      headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
    });
  },
} satisfies Partial<ControlHandlers>;

/** Builds a message when the reader has taken the previous one, so a slow reader gets one message for many changes. */
async function* messages(services: Services, asked: AbortSignal, session: Session | undefined): AsyncGenerator<string> {
  const lifetimeMs = session && Math.max(0, session.expiresAt - Date.now());
  const signal = lifetimeMs === undefined ? asked : AbortSignal.any([asked, AbortSignal.timeout(lifetimeMs)]);
  using listener = services.changes.listen();
  const { instanceId, version, keepsData } = services.about;
  const latestReset = services.timeline.latestReset() ?? 'none';
  const dataId = keepsData ? latestReset : `${instanceId} ${latestReset}`;
  const hello: HelloMessage = { instanceId, dataId, version, clock: presentClock(services) };
  yield message('hello', hello);
  let sentAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    const isThere = await heardWithin(listener, STREAM_COMMENT_INTERVAL_MS, signal);
    if (isThere === false || signal.aborted) return;
    if (isThere === undefined) {
      yield ':\n\n';
      continue;
    }
    // Round up, because a timer ignores fractions of a millisecond.
    const restMs = Math.max(0, Math.ceil(sentAt + INTERVAL_MS - performance.now()));
    await sleep(restMs, undefined, { signal }).catch(() => {});
    sentAt = performance.now();
    const { clock, ...changed } = listener.take();
    yield message('changed', { ...changed, ...(clock && { clock: presentClock(services) }) } satisfies ChangesMessage);
    // A reset ends all sessions.
    if (session && changed.reset) return;
  }
}

/** Returns false if no change will follow, and `undefined` if nothing changes within `ms`. */
async function heardWithin(listener: ChangeListener, ms: number, signal: AbortSignal): Promise<boolean | undefined> {
  const heard = new AbortController();
  // Do not use `AbortSignal.any`: on Node 22, each signal that it creates stays in memory until `signal` aborts.
  using _aborted = addAbortListener(signal, () => heard.abort());
  const timeout = sleep(ms, undefined, { signal: heard.signal }).catch(() => {});
  const isThere = await Promise.race([listener.wait(), timeout]);
  heard.abort();
  return isThere as boolean | undefined;
}

const message = (event: string, data: HelloMessage | ChangesMessage) =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function presentClock({ clock }: Services): StreamClock {
  const { frozenAt, moving } = clock.state;
  return {
    now: toTimestamp(clock.now()),
    offsetMs: clock.offsetMs,
    frozen: frozenAt !== null,
    moving: moving !== undefined,
  };
}
