import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '../src/index.ts';
import { schemas } from '../src/schemas.ts';
import { fixtures } from '../src/testing.ts';
import { API_KEY, apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { hangUp, json, refusal } from './support/steps.ts';

const limit = { 'ratelimit-policy': '"default";q=10;w=1', ratelimit: '"default";r=9;t=1' };

/** Standard output of a pino logger, as objects without the time. */
function pinoTo(level: string): { logger: Logger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const write = (line: string) => lines.push(JSON.parse(line));
  return { logger: pino({ level, base: null, timestamp: false }, { write }), lines };
}

describe('pino as the logger', () => {
  it('writes the message and the fields', async () => {
    await using server = await startScriptedServer(json({ credential: {} }));
    const { logger, lines } = pinoTo('debug');
    await apiKeyClient(server, { logger }).me.retrieve();
    const operation = 'GET /v1/me';
    const durationMs = expect.any(Number);
    expect(lines).toEqual([
      { level: 20, operation, attempts: 1, msg: 'sending' },
      { level: 20, operation, attempts: 1, status: 200, requestId: 'req_test', durationMs, msg: 'attempted' },
    ]);
  });

  it('writes nothing below its level, and a response that fails validation as a warning', async () => {
    await using server = await startScriptedServer(json({ workspace: { ...fixtures.workspace(), name: 7 } }));
    const { logger, lines } = pinoTo('warn');
    await apiKeyClient(server, { logger, validate: { schemas } }).workspaces.retrieve('wsp_1');
    expect(lines).toEqual([expect.objectContaining({ level: 40, msg: 'The response failed validation', status: 200 })]);
  });
});

describe('a field that the service does not know', () => {
  it('is a warning, without the credential', async () => {
    const workspace = { workspace: fixtures.workspace() };
    await using server = await startScriptedServer(
      json(workspace, 200, { 'service-ignored': `body.timeZone, body.${API_KEY}` }),
      json(workspace),
    );
    const { logger, lines } = pinoTo('warn');
    const { workspaces } = apiKeyClient(server, { logger });
    await workspaces.update('wsp_1', { timeZone: 'Europe/Berlin' } as object);
    expect(lines).toEqual([
      {
        level: 40,
        msg: 'ignored',
        operation: 'PATCH /v1/workspaces/{workspaceId}',
        ignored: 'body.timeZone, body.[credential]',
      },
    ]);
    await workspaces.update('wsp_1', { timezone: 'Europe/Berlin' });
    expect(lines).toHaveLength(1);
  });
});

describe('debug', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  /** The lines that a call writes to the console, with the time taken out. */
  async function linesOf(options: Parameters<typeof apiKeyClient>[1], call = 'retrieve'): Promise<string[]> {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await using server = await startScriptedServer(
      refusal(503, API_KEY, { 'retry-after': '0.01' }),
      json({ credential: {} }),
    );
    const svc = apiKeyClient(server, options);
    await (call === 'withOptions' ? svc.withOptions({ debug: true }) : svc).me.retrieve();
    return warn.mock.calls.map(([line]) => String(line).replace(/"durationMs":\d+/, '"durationMs":0'));
  }

  const lines = [
    'svc-client sending {"operation":"GET /v1/me","attempts":1}',
    'svc-client attempted {"name":"ApiError","code":"[credential]","message":"It is [credential]","attempts":1,"status":503,"requestId":"req_test","retryAfterMs":10,"operation":"GET /v1/me","durationMs":0}',
    'svc-client waiting {"name":"ApiError","code":"[credential]","message":"It is [credential]","attempts":1,"status":503,"requestId":"req_test","retryAfterMs":10,"operation":"GET /v1/me","waitMs":10}',
    'svc-client sending {"operation":"GET /v1/me","attempts":2}',
    'svc-client attempted {"operation":"GET /v1/me","attempts":2,"status":200,"requestId":"req_test","durationMs":0}',
  ];

  it('writes each attempt and each wait to the console, without the credential', async () => {
    expect(await linesOf({ debug: true })).toEqual(lines);
    vi.restoreAllMocks();
    expect(await linesOf({}, 'withOptions')).toEqual(lines);
  });

  it('is on with SVC_DEBUG=1', async () => {
    vi.stubEnv('SVC_DEBUG', '1');
    expect(await linesOf({})).toEqual(lines);
  });

  it('writes to the console besides a logger', async () => {
    const debug = vi.fn();
    expect(await linesOf({ debug: true, logger: { debug } })).toEqual(lines);
    expect(debug).toHaveBeenCalledTimes(4);
  });

  it('writes no character that controls a terminal', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const message = 'a\u001b]52;c;aGk=\u0007b\u009d52\u009cc\u202ed\u2066e\nf';
    await using server = await startScriptedServer(refusal(404, message), json({ credential: {} }));
    await expect(apiKeyClient(server, { debug: true }).me.retrieve()).rejects.toThrow();
    const text = warn.mock.calls.flat().join();
    expect(text).toContain('52');
    expect(text).not.toMatch(/[^ -~]/);
  });

  it('is off by default, and if the option says so', async () => {
    expect(await linesOf({})).toEqual([]);
    vi.stubEnv('SVC_DEBUG', '0');
    expect(await linesOf({})).toEqual([]);
    vi.stubEnv('SVC_DEBUG', '1');
    expect(await linesOf({ debug: false })).toEqual([]);
  });

  it('does not write the warning about a response twice', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await using server = await startScriptedServer(json({ workspace: { ...fixtures.workspace(), name: 7 } }));
    await apiKeyClient(server, { debug: true, validate: { schemas } }).workspaces.retrieve('wsp_1');
    expect(warn.mock.calls.filter(([line]) => String(line).includes('failed validation'))).toHaveLength(1);
  });
});

describe('a logger', () => {
  it('gets a line for each attempt and each wait', async () => {
    await using server = await startScriptedServer(
      refusal(503, 'UNAVAILABLE', { 'retry-after': '0.01' }),
      json({ credential: {} }),
    );
    const lines: unknown[] = [];
    const logger: Logger = {
      debug: (...line) => lines.push(line),
      info: (...line) => lines.push(line),
    };
    await apiKeyClient(server, { logger }).me.retrieve();
    const operation = 'GET /v1/me';
    const durationMs = expect.any(Number);
    const refused = {
      name: 'ApiError',
      code: 'UNAVAILABLE',
      message: 'It is UNAVAILABLE',
      requestId: 'req_test',
      retryAfterMs: 10,
    };
    expect(lines).toEqual([
      ['sending', { operation, attempts: 1 }],
      ['attempted', { operation, attempts: 1, status: 503, ...refused, durationMs }],
      ['waiting', { operation, attempts: 1, status: 503, ...refused, waitMs: 10 }],
      ['sending', { operation, attempts: 2 }],
      ['attempted', { operation, attempts: 2, status: 200, requestId: 'req_test', durationMs }],
    ]);
  });

  it('gets the reason why an attempt without a response failed', async () => {
    await using server = await startScriptedServer(hangUp);
    const debug = vi.fn();
    await apiKeyClient(server, { logger: { debug }, maxRetries: 0 })
      .me.retrieve()
      .catch(() => {});
    const message = expect.stringMatching(/^No complete response: /);
    expect(debug.mock.calls).toEqual([
      ['sending', { operation: 'GET /v1/me', attempts: 1 }],
      ['attempted', expect.objectContaining({ name: 'NetworkError', code: 'NETWORK', message, attempts: 1 })],
    ]);
  });

  it('does not fail a call if it throws', async () => {
    await using server = await startScriptedServer(
      refusal(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      json({ workspace: { ...fixtures.workspace(), name: 7 } }),
    );
    const told = vi.fn(() => {
      throw new Error('The disk is full');
    });
    const logger: Logger = { debug: told, info: told, warn: told };
    const svc = apiKeyClient(server, { logger, validate: { schemas } });
    expect(await svc.workspaces.retrieve('wsp_1')).toMatchObject({ name: 7 });
    // Two attempts, each with two lines, a wait and a response that fails validation.
    expect(told).toHaveBeenCalledTimes(6);
  });

  it('does not fail a call or leave an unhandled rejection if it rejects', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const told = vi.fn(async () => {
      throw new Error('The disk is full');
    });
    await using server = await startScriptedServer(json({ credential: {} }));
    await apiKeyClient(server, { logger: { debug: told } }).me.retrieve();
    // Node reports an unhandled rejection after the turn in which it happened.
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(told).toHaveBeenCalled();
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('gets one line for each wait, even if the call that discovers the limit is slow', async () => {
    await using server = await startScriptedServer(
      (...args) => setTimeout(() => json({ credential: {} }, 200, limit)(...args), 200),
      json({ credential: {} }, 200, limit),
    );
    const info = vi.fn();
    const svc = apiKeyClient(server, { logger: { info }, rateLimit: 'pace' });
    await Promise.all(Array.from({ length: 5 }, () => svc.me.retrieve()));
    expect(info).toHaveBeenCalledTimes(4);
  });

  it('gets one line from each call that waits because of a 429', async () => {
    await using server = await startScriptedServer(
      refusal(429, 'RATE_LIMITED', { 'retry-after': '0.2' }),
      json({ credential: {} }),
    );
    const info = vi.fn();
    const svc = apiKeyClient(server, { logger: { info } });
    const first = svc.me.retrieve().then(() => {});
    await expect.poll(() => info.mock.calls.length).toBe(1);
    await Promise.all([first, svc.me.retrieve(), svc.me.retrieve()]);
    expect(info).toHaveBeenCalledTimes(3);
  });
});
