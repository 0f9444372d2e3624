import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { Server } from '../../src/index.ts';

// Vitest's fake timers do not cover the timers that return promises.
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<typeof import('node:timers/promises')>()),
  setTimeout: (ms: number, value: unknown) =>
    new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), ms)),
}));
vi.mock(import('../../src/index.ts'), { spy: true });

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

let exit: MockInstance<typeof process.exit>;
let told: MockInstance<typeof process.stdout.write>;
const { argv } = process;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
let listeners: Map<(typeof SIGNALS)[number], NodeJS.SignalsListener[]>;
beforeEach(() => {
  listeners = new Map(SIGNALS.map((name) => [name, process.listeners(name)]));
  vi.resetModules();
  vi.stubEnv('SVC_LOG_LEVEL', 'silent');
  // Here `exit` does not end the process. The command continues after the call.
  exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  told = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  process.argv = [...argv.slice(0, 2), '--memory', '--json', '--port', '0'];
});
afterEach(() => {
  for (const [name, before] of listeners) {
    for (const listener of process.listeners(name)) if (!before.includes(listener)) process.off(name, listener);
  }
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.argv = argv;
});

/** Lets all work finish that does not wait for a timer. */
async function nextPasses(): Promise<void> {
  for (let pass = 0; pass < 10; pass++) await new Promise(setImmediate);
}

/** Sends a signal to the command. */
async function send(name: (typeof SIGNALS)[number]): Promise<void> {
  process.emit(name, name);
  await nextPasses();
}

/** Tells the command to stop. From then on, the test moves the time. */
async function signal(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  await send('SIGTERM');
}

/** The start of the port's response, or `closed`. */
async function ask(port: number): Promise<string> {
  const socket: Socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  socket.write(LIVE);
  await new Promise((closed) => socket.on('error', () => {}).once('close', closed));
  return text === '' ? 'closed' : text.slice(0, 'HTTP/1.1 503'.length);
}

describe('When a signal stops the command, it', () => {
  /** A running command that has started to stop. */
  async function stop() {
    const running = import('../../src/main.ts');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    const { url } = JSON.parse(String(told.mock.calls[0]?.[0])) as { url: string };
    await signal();
    return { port: Number(new URL(url).port), running };
  }

  test('still responds for 499 ms to callers that do not know yet that the server is stopping', async () => {
    const { port, running } = await stop();
    vi.advanceTimersByTime(499);
    await nextPasses();
    expect(await ask(port)).toBe('HTTP/1.1 503');
    vi.advanceTimersByTime(10_000);
    await running;
    expect(exit).toHaveBeenCalledWith(0);
  });

  test('accepts no more connections after 500 ms, and exits with code 0', async () => {
    const { port, running } = await stop();
    vi.advanceTimersByTime(500);
    await nextPasses();
    expect(await ask(port)).toBe('closed');
    await running;
    expect(exit).toHaveBeenCalledWith(0);
  });
});

/** A server that serves nothing. When it is asked to close, it waits for `mayClose`. */
function stub(mayClose = Promise.resolve()) {
  const closed = Promise.withResolvers<Error | undefined>();
  return {
    url: 'http://127.0.0.1:1',
    port: 1,
    credentials: [],
    deliveriesInFlight: () => 0,
    unref: () => {},
    close: vi.fn(async () => {
      await mayClose;
      closed.resolve(undefined);
    }),
    closed: closed.promise,
    async [Symbol.asyncDispose]() {},
  };
}

test('The command ends with code 1 when its server closes on its own', async () => {
  const server = await import('../../src/index.ts');
  const closed = Promise.resolve(new Error('the database is too new'));
  vi.mocked(server.startServer).mockResolvedValue({ ...stub(), closed });
  await import('../../src/main.ts');
  expect(exit).toHaveBeenCalledExactlyOnceWith(1);
});

describe('When the command gets more signals, it', () => {
  /** A command that was told to stop and has a delivery in flight. */
  async function stop() {
    const closed = Promise.withResolvers<void>();
    const server = await import('../../src/index.ts');
    vi.mocked(server.startServer).mockResolvedValue(stub(closed.promise));
    const running = import('../../src/main.ts');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    await signal();
    return { closed, running };
  }

  test.each(SIGNALS)('treats a %s within a second as part of the first signal', async (name) => {
    const { closed, running } = await stop();
    await send(name);
    vi.advanceTimersByTime(1_000);
    await send(name);
    expect(exit).not.toHaveBeenCalled();
    closed.resolve();
    await running;
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('ends at once with a %s after more than a second, with exit code %i', async (name, code) => {
    const { closed, running } = await stop();
    vi.advanceTimersByTime(1_001);
    await send(name);
    expect(exit).toHaveBeenCalledExactlyOnceWith(code);
    // The process would be gone.
    closed.resolve();
    await running;
  });
});

describe('When the command gets a signal while it starts, it', () => {
  /** A command whose start must wait. */
  async function stopStart() {
    const started = Promise.withResolvers<Server>();
    const server = await import('../../src/index.ts');
    vi.mocked(server.startServer).mockReturnValue(started.promise);
    const running = import('../../src/main.ts');
    await vi.waitFor(() => expect(server.startServer).toHaveBeenCalled());
    await signal();
    return { started, running };
  }

  test('still waits for the start after 999 ms', async () => {
    const { started, running } = await stopStart();
    vi.advanceTimersByTime(999);
    await nextPasses();
    expect(exit).not.toHaveBeenCalled();
    const server = stub();
    started.resolve(server);
    await running;
    expect(server.close).toHaveBeenCalledExactlyOnceWith({ lingerMs: 500 });
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  test('exits after a second, even if it has not started', async () => {
    const { started, running } = await stopStart();
    vi.advanceTimersByTime(1_000);
    await nextPasses();
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
    // The process would be gone.
    started.resolve(stub());
    await running;
  });
});
