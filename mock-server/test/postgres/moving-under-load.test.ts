import { describe, expect, test } from 'vitest';
import { startReceiver } from '../support/delivery/receiver.ts';
import { demo } from '../support/demo.ts';
import { startFleet } from './support/fleet.ts';

const HOUR = 3_600_000;
const as = { credential: demo.production.key };
const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };

describe('Moving the clock of several servers', () => {
  test.for([
    { clock: 'runs', body: { advance: '0s' } },
    { clock: 'is frozen', body: { freeze: true } },
  ])(
    'finishes while others accept events, after making every attempt that was due before, if the clock $clock',
    async ({ body }) => {
      await using fleet = await startFleet({ rateLimit: false });
      const [moving, accepting] = fleet.nodes;
      const cause = () => accepting.call('POST', '/_control/events', { body: event });
      let goesOn = true;
      // Each delivery causes the next event before it ends, so that something is due all the time.
      await using receiver = await startReceiver(async (_request, response) => {
        const status = receiver.requests.length === 1 ? 500 : 200;
        if (goesOn) await cause();
        response.writeHead(status).end();
      });
      using _over = {
        [Symbol.dispose]() {
          goesOn = false;
        },
      };
      await moving.call('POST', '/_control/clock', { body });
      const subscribed = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
      await moving.call('POST', '/v1/webhooks/endpoints', { ...as, body: subscribed });
      const { body: caused } = await cause();
      const { id } = caused.deliveries[0];
      const start = Date.parse((await moving.call('GET', '/_control/clock')).body.now);
      const { status } = await moving.call('POST', '/_control/clock', { body: { advance: '1h' } });
      goesOn = false;
      expect(status).toBe(200);
      const now = Date.parse((await accepting.call('GET', '/_control/clock')).body.now);
      expect(now - start).toBeGreaterThanOrEqual(HOUR);
      const { attempts } = (await accepting.call('GET', `/_control/deliveries/${id}/attempts`)).body;
      expect(attempts.map(({ number }: { number: number }) => number)).toEqual([1, 2]);
      const [one, two] = attempts.map((attempt: { startedAt: string; endedAt: string }) => ({
        startedAt: Date.parse(attempt.startedAt),
        endedAt: Date.parse(attempt.endedAt),
      }));
      expect(two.startedAt - one.endedAt).toBe(HOUR / 12);
      expect((await moving.call('POST', '/_control/settle', { body: {} })).body).toMatchObject({ settled: true });
    },
  );

  test('finishes while others accept events whose deliveries fail, and makes earlier retries at their own times', async () => {
    await using fleet = await startFleet({ rateLimit: false });
    const [moving, accepting] = fleet.nodes;
    const cause = () => accepting.call('POST', '/_control/events', { body: event });
    let goesOn = true;
    await using receiver = await startReceiver(async (_request, response) => {
      if (goesOn) await cause();
      response.writeHead(goesOn ? 500 : 200).end();
    });
    using _over = {
      [Symbol.dispose]() {
        goesOn = false;
      },
    };
    const subscribed = { url: receiver.url, subscribedEvents: ['lifecycle.*'] };
    await moving.call('POST', '/v1/webhooks/endpoints', { ...as, body: subscribed });
    const { body: caused } = await cause();
    const { status } = await moving.call('POST', '/_control/clock', { body: { advance: '1h' } });
    goesOn = false;
    expect(status).toBe(200);
    const { id } = caused.deliveries[0];
    const { attempts } = (await accepting.call('GET', `/_control/deliveries/${id}/attempts`)).body;
    const waits = attempts
      .slice(1)
      .map(
        (attempt: { startedAt: string }, index: number) =>
          Date.parse(attempt.startedAt) - Date.parse(attempts[index].endedAt),
      );
    expect(waits).toEqual([HOUR / 12, HOUR / 2]);
  });
});
