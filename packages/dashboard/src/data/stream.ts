import type { ChangesMessage, HelloMessage } from '@svc/contract/control/types';
import { needsSignIn } from './admin-session.ts';
import { send } from './control.ts';
import { type LiveMessage, receive } from './live.ts';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS } from './retry.ts';

/** If no data arrives for this long (two intervals between the server's comments), the connection counts as lost. */
export const SILENCE_MAX_MS = 30_000;

/**
 * Reads the stream until the signal is aborted. Sends a `lost` message and connects again whenever the stream ends.
 */
export async function readStream(signal: AbortSignal, tell: (message: LiveMessage) => void): Promise<void> {
  for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    try {
      const response = await send('GET', '/stream', { signal });
      if (response.ok && response.body) {
        waitMs = FIRST_WAIT_MS;
        await readMessages(response.body, tell);
      } else {
        await response.body?.cancel();
      }
    } catch {
      // Ignore the error, because the code below always reports the end of the stream.
    }
    if (signal.aborted) return;
    tell({ kind: 'lost' });
    await pause(waitMs, signal);
  }
}

async function readMessages(body: ReadableStream<Uint8Array>, tell: (message: LiveMessage) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let text = ''; ; ) {
    // If the computer was suspended or changed its network, the connection may be lost without an error. So stop
    // reading after a long silence.
    const silence = setTimeout(() => void reader.cancel(), SILENCE_MAX_MS);
    const { done, value } = await reader.read().finally(() => clearTimeout(silence));
    if (done) return;
    text += value;
    const parts = text.split('\n\n');
    text = parts.pop() ?? '';
    for (const part of parts) {
      const message = parseMessage(part);
      if (message) tell({ ...message });
    }
  }
}

/**
 * Parses a message of the stream. Returns `undefined` for a comment, and for an event that this version does not know.
 */
export function parseMessage(text: string): LiveMessage | undefined {
  const fields = new Map(
    text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const data = fields.get('data');
  if (data === undefined) return undefined;
  if (fields.get('event') === 'hello') return { kind: 'hello', hello: JSON.parse(data) as HelloMessage };
  if (fields.get('event') === 'changed') return { kind: 'changed', changed: JSON.parse(data) as ChangesMessage };
  return undefined;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}

/** Reads the stream while the page is visible and the user is signed in. Returns a function that stops reading. */
export function followServer(): () => void {
  let following: AbortController | undefined;
  const update = () => {
    following?.abort();
    following = document.hidden || needsSignIn.peek() ? undefined : new AbortController();
    if (following) void follow(following.signal);
  };
  document.addEventListener('visibilitychange', update);
  // `subscribe` also calls `update` at once.
  const stop = needsSignIn.subscribe(update);
  return () => {
    stop();
    document.removeEventListener('visibilitychange', update);
    following?.abort();
  };
}

/** One tab reads the stream for all tabs, because a browser opens only six connections to a host. */
async function follow(signal: AbortSignal): Promise<void> {
  // In an insecure context, the browser offers no locks, so each tab reads the stream.
  if (!('locks' in navigator)) return await readStream(signal, receive);
  const name = `svc-dashboard ${document.baseURI}`;
  const channel = new BroadcastChannel(name);
  let latest: LiveMessage | undefined;
  let reads = false;
  channel.onmessage = ({ data }: MessageEvent<LiveMessage>) => {
    if (data.kind !== 'who') receive(data);
    else if (reads && latest) channel.postMessage(latest);
  };
  signal.addEventListener('abort', () => channel.close(), { once: true });
  channel.postMessage({ kind: 'who' } satisfies LiveMessage);
  await navigator.locks
    .request(name, { signal }, async () => {
      reads = true;
      await readStream(signal, (message) => {
        if (message.kind === 'hello' || message.kind === 'lost') latest = message;
        if (latest?.kind === 'hello' && message.kind === 'changed' && message.changed.clock) {
          latest = { kind: 'hello', hello: { ...latest.hello, clock: message.changed.clock } };
        }
        receive(message);
        channel.postMessage(message);
      });
    })
    .catch(() => {});
}
