import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import type { Server } from '../src/index.ts';

// The fake timers leave out those that are promises.
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<typeof import('node:timers/promises')>()),
  setTimeout: (ms: number, value: unknown) =>
    new Promise((resolve) => void globalThis.setTimeout(() => resolve(value), ms)),
}));
vi.mock(import('../src/index.ts'), { spy: true });

const LIVE = 'GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

let exit: MockInstance<typeof process.exit>;
let told: MockInstance<typeof process.stdout.write>;
const { argv } = process;
beforeEach(() => {
  vi.resetModules();
  vi.stubEnv('SVC_LOG_LEVEL', 'silent');
  // What ends a process ends nothing here: the command stays where it called it.
  exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  told = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  process.argv = [...argv.slice(0, 2), '--memory', '--json', '--port', '0'];
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  process.argv = argv;
});

/** What needs no time is done. */
async function eventTurns(): Promise<void> {
  for (let turns = 0; turns < 10; turns++) await new Promise(setImmediate);
}

/** Has the command of this process begin to stop, by the clock that the test moves. */
async function signal(): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  process.emit('SIGTERM', 'SIGTERM');
  await eventTurns();
}

/** What the port answers, or that it is closed. */
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

describe('The command, when a signal stops it,', () => {
  /** A command that runs, and has begun to stop. */
  async function stop() {
    const running = import('../src/main.ts');
    await vi.waitFor(() => expect(told).toHaveBeenCalled());
    const { url } = JSON.parse(String(told.mock.calls[0]?.[0])) as { url: string };
    await signal();
    return { port: Number(new URL(url).port), running };
  }

  test('still answers those who have not heard of it, for 499 ms', async () => {
    const { port, running } = await stop();
    vi.advanceTimersByTime(499);
    await eventTurns();
    expect(await ask(port)).toBe('HTTP/1.1 503');
    vi.advanceTimersByTime(10_000);
    await running;
    expect(exit).toHaveBeenCalledWith(0);
  });

  test('takes no connection any more after 500 ms, and ends with code 0', async () => {
    const { port, running } = await stop();
    vi.advanceTimersByTime(500);
    await eventTurns();
    expect(await ask(port)).toBe('closed');
    await running;
    expect(exit).toHaveBeenCalledWith(0);
  });
});

describe('The command, when a signal meets its start,', () => {
  const stub = () => ({
    url: 'http://127.0.0.1:1',
    port: 1,
    credentials: [],
    close: vi.fn(async () => {}),
    async [Symbol.asyncDispose]() {},
  });

  /** A command whose start waits for something. */
  async function stopStart() {
    const started = Promise.withResolvers<Server>();
    const server = await import('../src/index.ts');
    vi.mocked(server.startServer).mockReturnValue(started.promise);
    const running = import('../src/main.ts');
    await vi.waitFor(() => expect(server.startServer).toHaveBeenCalled());
    await signal();
    return { started, running };
  }

  test('still waits for it 999 ms later', async () => {
    const { started, running } = await stopStart();
    vi.advanceTimersByTime(999);
    await eventTurns();
    expect(exit).not.toHaveBeenCalled();
    const server = stub();
    started.resolve(server);
    await running;
    expect(server.close).toHaveBeenCalledExactlyOnceWith({ lingerMs: 500 });
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
  });

  test('gives it up at a second', async () => {
    const { started, running } = await stopStart();
    vi.advanceTimersByTime(1_000);
    await eventTurns();
    expect(exit).toHaveBeenCalledExactlyOnceWith(0);
    // The process would be gone.
    started.resolve(stub());
    await running;
  });
});
