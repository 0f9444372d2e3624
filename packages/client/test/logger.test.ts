import { describe, expect, it, vi } from 'vitest';
import type { Logger } from '../src/index.ts';
import { schemas } from '../src/schemas.ts';
import { fixtures } from '../src/testing.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { hangUp, json, refusal } from './support/steps.ts';

const limit = { 'ratelimit-policy': '"default";q=10;w=1', ratelimit: '"default";r=9;t=1' };

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
    const refused = {
      name: 'ApiError',
      code: 'UNAVAILABLE',
      message: 'It is UNAVAILABLE',
      requestId: 'req_test',
      retryAfterMs: 10,
    };
    expect(lines).toEqual([
      ['attempted', { operation, attempts: 1, status: 503, ...refused }],
      ['waiting', { operation, attempts: 1, status: 503, ...refused, waitMs: 10 }],
      ['attempted', { operation, attempts: 2, status: 200 }],
    ]);
  });

  it('gets the reason why an attempt without an answer failed', async () => {
    await using server = await startScriptedServer(hangUp);
    const debug = vi.fn();
    await apiKeyClient(server, { logger: { debug }, maxRetries: 0 })
      .me.retrieve()
      .catch(() => {});
    const message = expect.stringMatching(/^No whole answer: /);
    expect(debug.mock.calls).toEqual([
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
    // Two attempts, a wait and an answer that fails validation.
    expect(told).toHaveBeenCalledTimes(4);
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
