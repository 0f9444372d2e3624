import assert from 'node:assert/strict';
import type { Probe } from '../probe.ts';
import type { Receiver } from '../receiver.ts';
import { section } from '../statement.ts';
import { demo } from '../tenants.ts';

const { state, statements } = section('decision', 'Attempts');
export const attempts = statements;

const key = { as: demo.productionKey };

async function attempt(probe: Probe, url: string) {
  const { id } = await probe.endpoint(url);
  const { body } = await probe.call('POST', `/v1/webhooks/endpoints/${id}/send-test-event`, key);
  await probe.settle();
  return await probe.delivery(body.ping.deliveryId);
}

async function attemptWithResponse(probe: Probe, respond: NonNullable<Receiver['respond']>) {
  const receiver = await probe.receiver();
  receiver.respond = respond;
  return await attempt(probe, receiver.url);
}

state('attempts.no-redirect', 'Redirects are not followed: a 3xx response is a failed attempt', async (probe) => {
  const target = await probe.receiver();
  for (const status of [301, 302, 303, 307, 308]) {
    const detail = await attemptWithResponse(probe, (response) => {
      response.writeHead(status, { location: target.url }).end();
    });
    assert.deepEqual([detail.status, detail.error, detail.responseStatus], ['pending', `HTTP ${status}`, status]);
    assert.equal(detail.responseHeaders.location, target.url);
  }
  assert.equal(target.received.length, 0);
});

state(
  'attempts.errors',
  'error is a short string: HTTP 503, Connection refused, Connection reset, DNS lookup failed or TLS: …',
  async (probe) => {
    const plain = await probe.receiver();
    const reset = await probe.receiver();
    reset.respond = (response) => response.destroy();
    const unavailable = await probe.receiver(503);
    for (const [url, error] of [
      [unavailable.url, /^HTTP 503$/],
      ['http://127.0.0.1:9/', /^Connection refused$/],
      [reset.url, /^Connection reset$/],
      ['https://receiver.invalid/', /^DNS lookup failed$/],
      [`https://127.0.0.1:${plain.port}/`, /^TLS: \w[\w ]+$/],
    ] as const) {
      const detail = await attempt(probe, url);
      assert.match(detail.error, error, url);
      assert.deepEqual([detail.status, detail.attempt], ['pending', 1], url);
    }
  },
);

state(
  'attempts.exact-delay',
  'The delay before a retry starts at the end of the failed attempt, and is exact to the millisecond',
  async (probe) => {
    const detail = await attemptWithResponse(probe, (response) => {
      setTimeout(() => response.writeHead(500).end(), 50);
    });
    const [{ startedAt, endedAt }] = await probe.attempts(detail.id);
    assert.ok(Date.parse(endedAt) - Date.parse(startedAt) >= 45);
    assert.equal(Date.parse(detail.nextAttemptAt) - Date.parse(endedAt), 300_000);
  },
);

state(
  'attempts.retry-after',
  'A 410 or 429 response is an ordinary failed attempt, and the receiver’s Retry-After header is ignored',
  async (probe) => {
    await probe.freeze();
    for (const status of [410, 429, 503]) {
      const detail = await attemptWithResponse(probe, (response) => {
        response.writeHead(status, { 'retry-after': '1' }).end();
      });
      assert.equal(detail.status, 'pending');
      assert.equal(Date.parse(detail.nextAttemptAt) - Date.parse(detail.createdAt), 300_000);
    }
  },
);

state(
  'attempts.body-kept',
  'The service reads and stores only the first 64 KiB of a response body, even if the body never ends',
  async (probe) => {
    const KEPT = 64 * 1024;
    for (const bytes of [KEPT, KEPT + 1, 3 * KEPT]) {
      const { responseBody, status } = await attemptWithResponse(probe, (response) => response.end('b'.repeat(bytes)));
      assert.equal(status, 'success');
      assert.ok(responseBody === 'b'.repeat(KEPT), `${responseBody.length} of ${bytes}`);
    }
    const endless = await attemptWithResponse(probe, (response) => {
      response.writeHead(200);
      const more = () => {
        while (!response.destroyed && response.write('e'.repeat(KEPT)));
      };
      response.on('drain', more);
      more();
    });
    assert.deepEqual([endless.status, endless.responseBody.length], ['success', KEPT]);
    assert.ok(endless.responseTimeMs < 9_000);
  },
);

state('attempts.body-text', 'Response bodies are decoded as UTF-8; invalid bytes are replaced', async (probe) => {
  const { responseBody } = await attemptWithResponse(probe, (response) => {
    response.end(Buffer.concat([Buffer.from('grüß '), Buffer.from([0xff, 0xfe, 0]), Buffer.from(' Gott')]));
  });
  assert.equal(responseBody, 'grüß \uFFFD\uFFFD\uFFFD Gott');
});

state(
  'attempts.headers-kept',
  'At most 100 response headers are stored, with at most 16 KiB in total',
  async (probe) => {
    const many = await attemptWithResponse(probe, (response) => {
      for (let count = 0; count < 150; count++) response.setHeader(`x-${count}`, String(count));
      response.end();
    });
    assert.equal(Object.keys(many.responseHeaders).length, 100);
    assert.equal(many.responseHeaders['x-0'], '0');
    const large = await attemptWithResponse(probe, (response) => {
      for (let count = 0; count < 12; count++) response.setHeader(`x-${count}`, 'h'.repeat(2 * 1024));
      response.end();
    });
    const bytes = Object.entries(large.responseHeaders as Record<string, string>).reduce(
      (sum, [name, value]) => sum + name.length + value.length,
      0,
    );
    assert.ok(bytes > 8 * 1024 && bytes <= 16 * 1024, String(bytes));
  },
);
