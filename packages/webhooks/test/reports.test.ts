import { createWebhooks, type WebhooksOptions } from '@svc/webhooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NOW_MS, NOW_SECONDS, SECRET, signedMessage, signedRequest } from './support/message.ts';

const otherKey = Buffer.alloc(32, 1);
const receiver = (options: Partial<WebhooksOptions> = {}) =>
  createWebhooks({ secrets: SECRET, now: NOW_MS, debug: false, ...options });

describe('a rejected request', () => {
  const warn = vi.spyOn(console, 'warn');
  beforeEach(() => void warn.mockReset().mockImplementation(() => {}));
  afterEach(() => void vi.useRealTimers());

  it('is reported once for each code and minute', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
    const { fetch } = receiver();
    const forged = () => fetch(signedRequest({ key: otherKey }));
    for (let count = 0; count < 3; count++) expect((await forged()).status).toBe(401);
    expect(warn.mock.calls).toEqual([
      [
        `Webhook rejected: No signature matches this secret. Use this endpoint's secret, and pass the raw body. SVC_DEBUG=1 shows more.`,
      ],
    ]);
    await fetch(signedRequest({ timestamp: 1 }));
    expect(warn).toHaveBeenCalledTimes(2);
    vi.setSystemTime(NOW_MS + 59_999);
    await forged();
    expect(warn).toHaveBeenCalledTimes(2);
    vi.setSystemTime(NOW_MS + 60_001);
    await forged();
    expect(warn).toHaveBeenCalledTimes(3);
    expect((await fetch(signedRequest())).status).toBe(200);
    expect(warn).toHaveBeenCalledTimes(3);
  });

  it('is reported by a machine whose clock starts at the epoch', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 });
    const { fetch } = receiver();
    await fetch(signedRequest({ key: otherKey }));
    expect(warn).toHaveBeenCalledTimes(1);
    vi.setSystemTime(59_999);
    await fetch(signedRequest({ key: otherKey }));
    expect(warn).toHaveBeenCalledTimes(1);
  });

  it('leaves nothing in the report that the sender chose', async () => {
    const { fetch } = receiver({ maxBodyBytes: 1000 });
    const marked = (headers: Record<string, string>, body = 'MARK') =>
      fetch(
        new Request('https://receiver.test/MARK', {
          method: 'POST',
          headers: { ...signedMessage().headers, ...headers },
          body,
        }),
      );
    await marked({});
    await marked({ 'webhook-id': 'MARK.MARK' });
    await marked({ 'webhook-timestamp': 'MARK' });
    await marked({ 'webhook-timestamp': String(NOW_SECONDS - 987_654) });
    await marked({ 'webhook-timestamp': String(NOW_SECONDS + 987_654) });
    await marked({ 'webhook-signature': 'MARK' });
    await marked({ 'webhook-signature': 'v9,MARK' });
    await marked({ 'content-type': 'text/MARK' });
    await marked({}, 'MARK'.repeat(1000));
    await fetch(signedRequest({ body: '{"MARK' }));
    await fetch(signedRequest({ body: '{"MARK":1}' }));
    await fetch(new Request('https://receiver.test/MARK', { method: 'PUT', body: 'MARK' }));
    expect(warn.mock.calls.length).toBe(12);
    for (const given of warn.mock.calls) {
      expect(given).toEqual([expect.stringMatching(/^Webhook rejected: .+\. .+\. SVC_DEBUG=1 shows more\.$/)]);
      expect(String(given)).not.toMatch(/MARK|987654|v9/);
    }
  });

  it('is passed to onReject instead, each time', async () => {
    const onReject = vi.fn();
    const { fetch } = receiver({ onReject });
    for (let count = 0; count < 2; count++) await fetch(signedRequest({ key: otherKey }));
    expect(onReject).toHaveBeenCalledTimes(2);
    expect(warn).not.toHaveBeenCalled();
  });
});
