import { format } from 'node:util';
import { createWebhooks, type WebhookError, type WebhooksOptions } from '@svc/webhooks';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { EVALUATED, NOW_MS, PING, SECRET, signedRequest } from './support/message.ts';

const receiver = (options: Partial<WebhooksOptions> = {}) =>
  createWebhooks({ secrets: SECRET, now: NOW_MS, ...options });

async function responseOf(response: Promise<Response>) {
  const { status, headers } = await response;
  return { status, type: headers.get('content-type'), body: await (await response).json() };
}

describe('fetch', () => {
  it('responds with 200 if the event is handled', async () => {
    const webhooks = receiver();
    const handler = vi.fn();
    webhooks.on('lifecycle.*', handler);
    expect(await responseOf(webhooks.fetch(signedRequest({ body: EVALUATED })))).toEqual({
      status: 200,
      type: 'application/json',
      body: { outcome: 'handled' },
    });
    expect(handler).toHaveBeenCalledOnce();
  });

  it('responds with 200 if no handler matches the event', async () => {
    expect(await responseOf(receiver().fetch(signedRequest()))).toMatchObject({
      status: 200,
      body: { outcome: 'unhandled' },
    });
  });

  it('works when it is called without its object', async () => {
    const { fetch } = receiver();
    expect((await fetch(signedRequest())).status).toBe(200);
  });

  it.each<[string, Request, number]>([
    ['no_match', signedRequest({ key: Buffer.alloc(32) }), 401],
    ['timestamp_too_old', signedRequest({ timestamp: 1 }), 401],
    [
      'missing_header',
      new Request('http://x', { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }),
      400,
    ],
    ['envelope_invalid', signedRequest({ body: '[]' }), 400],
    ['method_not_allowed', new Request('http://x'), 405],
    ['unsupported_content_type', new Request('http://x', { method: 'POST', body: '{}' }), 415],
  ])('answers a refusal with its status and code: %s', async (code, request, status) => {
    const rejected: [WebhookError, unknown][] = [];
    const webhooks = receiver({ onReject: (error, of) => rejected.push([error, of]) });
    const response = await webhooks.fetch(request);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ outcome: 'rejected', code, message: expect.stringMatching(/^.+\. .+\.$/) });
    expect(response.headers.get('allow')).toBe(status === 405 ? 'POST' : null);
    expect(rejected).toEqual([[expect.objectContaining({ code }), request]]);
  });

  it('responds with 500 if a handler throws, calls onError, and does not reveal the error', async () => {
    const failures: unknown[][] = [];
    const webhooks = receiver({ onError: (...failure) => failures.push(failure) });
    webhooks.on('*', () => {
      throw new Error('password is hunter2');
    });
    expect(await responseOf(webhooks.fetch(signedRequest()))).toMatchObject({
      status: 500,
      body: { outcome: 'failed' },
    });
    expect(failures).toEqual([[expect.any(Error), expect.objectContaining({ id: 'whd_1' })]]);
  });

  it('responds with 500 to an error that only looks like a WebhookError, even without a status', async () => {
    const lookAlike = Object.assign(new Error('x'), { name: 'WebhookError', hint: 'another' });
    const failures: unknown[] = [];
    const webhooks = receiver({
      secrets: () => Promise.reject(lookAlike),
      onError: (error) => failures.push(error),
    });
    expect((await webhooks.fetch(signedRequest())).status).toBe(500);
    expect(failures).toEqual([lookAlike]);
  });

  it('logs mistakes of the receiver to the console unless onReject is set, but not mistakes of the sender', async () => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
    const read = signedRequest();
    await read.text();
    await receiver().fetch(signedRequest({ key: Buffer.alloc(32) }));
    expect(consoleError).not.toHaveBeenCalled();
    expect((await receiver().fetch(read)).status).toBe(500);
    expect((await receiver({ secrets: () => 'whsec_x' }).fetch(signedRequest())).status).toBe(500);
    expect(consoleError.mock.calls).toEqual([
      [expect.objectContaining({ code: 'body_already_read' })],
      [expect.objectContaining({ code: 'secret_encoding' })],
    ]);
    await receiver({ secrets: () => 'whsec_x', onReject: () => {} }).fetch(signedRequest());
    expect(consoleError).toHaveBeenCalledTimes(2);
    consoleError.mockRestore();
  });

  it('logs a failure to the console unless onError is set', async () => {
    const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {});
    const webhooks = receiver({ secrets: () => Promise.reject(new Error('vault is sealed')) });
    expect((await webhooks.fetch(signedRequest())).status).toBe(500);
    expect(consoleError).toHaveBeenCalledWith(expect.objectContaining({ message: 'vault is sealed' }), [
      undefined,
      undefined,
    ]);
    consoleError.mockRestore();
  });

  it('logs the id and the type of a delivery whose handler fails, and none of its headers', async () => {
    const lines: string[] = [];
    const consoleError = vi.spyOn(console, 'error').mockImplementation((...args) => void lines.push(format(...args)));
    onTestFinished(() => consoleError.mockRestore());
    const webhooks = receiver();
    webhooks.on('webhook.ping', () => {
      throw new Error('out of paper');
    });
    const request = signedRequest();
    request.headers.set('authorization', 'Basic c2VjcmV0');
    expect((await webhooks.fetch(request)).status).toBe(500);
    expect(lines).toEqual([expect.stringMatching(/^Error: out of paper\n.* \[ 'whd_1', 'webhook\.ping' \]$/s)]);
    expect(lines.join()).not.toMatch(/Basic|v1,|headers/);

    // Whoever has a secret chooses the type.
    webhooks.on('*', () => {
      throw new Error('out of paper');
    });
    await webhooks.fetch(
      signedRequest({ body: JSON.stringify({ ...JSON.parse(PING), type: 'a\u001b]52;c;\u009b2J' }) }),
    );
    expect(lines[1]).toMatch(/\[ 'whd_1', 'a\\x1B\]52;c;\\x9B2J' \]$/);
  });
});
