import { addAbortListener } from 'node:events';
import { ReadableStream, TextEncoderStream } from 'node:stream/web';
import { setTimeout as sleep } from 'node:timers/promises';
import { STREAM_COMMENT_INTERVAL_MS } from '@svc/contract';
import type { ChangesMessage, HelloMessage, StreamClock } from '@svc/contract/control/resources';
import type { Session } from '../../domain/dashboard-session.ts';
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

/** Builds a message only after the reader has taken the previous one: slow readers get one message for many changes. */
async function* messages(services: Services, asked: AbortSignal, session: Session | undefined): AsyncGenerator<string> {
  const lifetimeMs = session && Math.max(0, session.expiresAt - services.clock.realNow());
  const signal = lifetimeMs === undefined ? asked : AbortSignal.any([asked, AbortSignal.timeout(lifetimeMs)]);
  using listener = services.changes.listen();
  using _ended = addAbortListener(signal, () => listener.close());
  const { instanceId, version, keepsData } = services.about;
  const latestReset = services.timeline.latestReset() ?? 'none';
  const dataId = keepsData ? latestReset : `${instanceId} ${latestReset}`;
  const hello: HelloMessage = { instanceId, dataId, version: version(), clock: presentClock(services) };
  yield message('hello', hello);
  // An empty change becomes a comment, which shows the client that the connection is alive.
  const heartbeat = setInterval(() => listener.add({}), STREAM_COMMENT_INTERVAL_MS).unref();
  let sentAt = Number.NEGATIVE_INFINITY;
  try {
    while (await listener.wait()) {
      // Round up, because a timer ignores fractions of a millisecond.
      const restMs = Math.max(0, Math.ceil(sentAt + INTERVAL_MS - performance.now()));
      await sleep(restMs, undefined, { signal }).catch(() => {});
      sentAt = performance.now();
      const { clock, ...changed } = listener.take();
      const data: ChangesMessage = { ...changed, ...(clock && { clock: presentClock(services) }) };
      yield Object.keys(data).length === 0 ? ':\n\n' : message('changed', data);
      // A reset ends all sessions, so it also ends the stream of a session.
      if (session && changed.reset) return;
    }
  } finally {
    clearInterval(heartbeat);
  }
}

const message = (event: string, data: HelloMessage | ChangesMessage) =>
  `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

function presentClock({ clock }: Pick<Services, 'clock'>): StreamClock {
  const { frozenAt, moving } = clock.state;
  return {
    now: toTimestamp(clock.now()),
    offsetMs: clock.offsetMs,
    frozen: frozenAt !== null,
    moving: moving !== undefined,
  };
}
