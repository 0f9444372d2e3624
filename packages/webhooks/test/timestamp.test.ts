import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { NOW_MS, NOW_SECONDS, SECRET, signedMessage } from './support/message.ts';
import { webhooks } from './support/receiver.ts';
import { codeOf, refusalOf } from './support/refusal.ts';

describe('webhook-timestamp (Signature, 4)', () => {
  it.each([-300, -299, 0, 299, 300])('a timestamp %i s from the clock is accepted', (skew) => {
    const timestamp = NOW_SECONDS + skew;
    expect(webhooks.verify(signedMessage({ timestamp })).timestamp).toBe(timestamp);
  });

  it.each([
    [-301, 'timestamp_too_old'],
    [301, 'timestamp_too_new'],
    [-1_000_000, 'timestamp_too_old'],
    [1_000_000, 'timestamp_too_new'],
  ])('a timestamp %i s from the clock is rejected', async (skewSeconds, code) => {
    const refusal = await refusalOf(() => webhooks.verify(signedMessage({ timestamp: NOW_SECONDS + skewSeconds })));
    expect(refusal).toMatchObject({ code, skewSeconds, status: 401 });
  });

  it('is compared with whole seconds of the clock', async () => {
    const late = { ...signedMessage(), secrets: SECRET };
    expect(verifyWebhook({ ...late, now: NOW_MS + 300_999 }).receivedAt).toBe(NOW_MS + 300_999);
    expect(await codeOf(() => verifyWebhook({ ...late, now: NOW_MS + 301_000 }))).toBe('timestamp_too_old');
  });

  it('is compared with the given tolerance', async () => {
    const strict = createWebhooks({ secrets: SECRET, now: () => NOW_MS, toleranceSeconds: 10 });
    expect(strict.check(signedMessage({ timestamp: NOW_SECONDS - 10 })).ok).toBe(true);
    expect(strict.check(signedMessage({ timestamp: NOW_SECONDS - 11 })).ok).toBe(false);
  });

  it('is refused if the clock is not a number', () => {
    expect(createWebhooks({ secrets: SECRET, now: Number.NaN }).check(signedMessage()).ok).toBe(false);
  });

  it('0 is accepted at the epoch', () => {
    const epoch = createWebhooks({ secrets: SECRET, now: 0 });
    expect(epoch.verify(signedMessage({ timestamp: 0 })).timestamp).toBe(0);
  });

  it.each(['', '00', `0${NOW_SECONDS}`, `+${NOW_SECONDS}`, '-1', '1e9', '1780000000.0', ' 1780000000', '1780000000x'])(
    '%j is refused',
    async (timestamp) => {
      expect(await codeOf(() => webhooks.verify(signedMessage({ timestamp })))).toMatch(/malformed_timestamp|missing/);
    },
  );

  it.each(['0x6a18', '１７８', '1'.repeat(16), 'NaN', 'Infinity'])('%j is refused', async (timestamp) => {
    expect(await codeOf(() => webhooks.verify(signedMessage({ timestamp })))).toBe('malformed_timestamp');
  });
});
