import { createWebhooks, memoryDedupe } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { startReferenceServer } from './support/reference-server.ts';

describe('a secret that is rotated (Signature, 5)', () => {
  it('verifies at every moment of the rollout: the old one, both, the new one', async () => {
    await using service = await startReferenceServer();
    const old = service.secret;
    let deployed: string[] = [old];
    const webhooks = createWebhooks({ secrets: () => deployed, dedupe: memoryDedupe() });
    /** Receives a delivery: how many signatures it has, and the position of the secret that verified it. */
    const receive = async () => {
      const sent = await service.delivery();
      const delivery = webhooks.verify(sent);
      expect(await webhooks.dispatch(delivery)).toBe('unhandled');
      return [sent.headers['webhook-signature']?.split(' ').length, delivery.secretIndex];
    };

    expect(await receive()).toEqual([1, 0]);
    const next = await service.rotate();
    // Nobody has deployed the new secret yet: the old one signs on, for 24 hours.
    expect(await receive()).toEqual([2, 0]);
    deployed = [next, old];
    expect(await receive()).toEqual([2, 0]);
    await service.advance('PT23H');
    expect(await receive()).toEqual([2, 0]);
    deployed = [old];
    expect(await receive()).toEqual([2, 0]);
    deployed = [next, old];
    await service.advance('PT61M');
    expect(await receive()).toEqual([1, 0]);
    deployed = [next];
    expect(await receive()).toEqual([1, 0]);
  });

  it('is refused once its 24 hours are over', async () => {
    await using service = await startReferenceServer();
    const webhooks = createWebhooks({ secrets: service.secret });
    await service.rotate();
    await service.advance('PT24H1S');
    expect(webhooks.check(await service.delivery())).toMatchObject({ ok: false, error: { code: 'no_match' } });
  });
});
