import { describe, expect, it } from 'vitest';
import { deliveryOf, emit, START, startWorld } from '../../support/delivery/world.ts';

describe('Delivery behaviour', () => {
  it.each([200, 201, 202, 204, 299])('a %i response is a success', async (code) => {
    expect(await outcomeOf(code)).toMatchObject({ status: 'success', error: null, response_status: code });
  });

  it.each([300, 301, 302, 307, 400, 401, 404, 410, 429, 500, 503])(
    'a %i response is an ordinary failed attempt',
    async (code) => {
      expect(await outcomeOf(code)).toMatchObject({
        status: 'pending',
        error: `HTTP ${code}`,
        response_status: code,
        next_attempt_at: START + 300_000,
      });
    },
  );
});

async function outcomeOf(code: number) {
  await using world = await startWorld((request, response) => {
    // Redirects are never followed, and `Retry-After` changes nothing.
    if (request.path === '/elsewhere') throw new Error('The redirect was followed.');
    response.writeHead(code, { location: '/elsewhere', 'retry-after': '1' }).end();
  });
  const { receiver, storage, engine } = world;
  const [id] = await emit(world);
  await engine.runDue();
  expect(receiver.requests).toHaveLength(1);
  return await deliveryOf(storage, id);
}
