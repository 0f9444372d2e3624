import { createWebhooks, memoryDedupe } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { startReferenceServer } from './support/reference-server.ts';

describe('a rotated secret (Signature, 5)', () => {
  it('is never refused during a correct rollout, even while only some processes have it', async () => {
    await using service = await startReferenceServer();
    const old = service.secret;
    const next = { secret: '' };
    const receivers = {
      old: () => [old],
      both: () => [next.secret, old],
      new: () => [next.secret],
    };
    /** Passes one delivery to each receiver. @returns the position of the matching secret, or the error code. */
    const outcomes = async (...names: (keyof typeof receivers)[]) => {
      const sent = await service.delivery();
      const signatures = sent.headers['webhook-signature']?.split(' ').length;
      const seen = names.map((name) => {
        const result = createWebhooks({ secrets: receivers[name]() }).check(sent);
        return [name, result.ok ? result.delivery.secretIndex : result.error.code];
      });
      return { signatures, ...Object.fromEntries(seen) };
    };

    expect(await outcomes('old')).toEqual({ signatures: 1, old: 0 });
    next.secret = await service.rotate();
    // For the next 24 hours, each of the three receivers can verify.
    const within = { signatures: 2, old: 0, both: 0, new: 0 };
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT12H');
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT11H59M');
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT61S');
    // A receiver that never got the new secret fails now. The others continue to work.
    const after = { signatures: 1, old: 'no_match', both: 0, new: 0 };
    expect(await outcomes('old', 'both', 'new')).toEqual(after);
    await service.advance('PT48H');
    expect(await outcomes('old', 'both', 'new')).toEqual(after);
  });

  it('can be replaced while the receiver runs: it handles each delivery once', async () => {
    await using service = await startReferenceServer();
    let deployed = [service.secret];
    const handled: string[] = [];
    const webhooks = createWebhooks({ secrets: async () => deployed, dedupe: memoryDedupe() });
    webhooks.on('*', (event) => void handled.push(event.id));
    const receive = async () => {
      const { headers, body } = await service.delivery();
      return (await webhooks.handle({ method: 'POST', headers, body })).body;
    };

    const answers = [await receive()];
    const next = await service.rotate();
    answers.push(await receive());
    deployed = [next, ...deployed];
    answers.push(await receive());
    await service.advance('PT25H');
    answers.push(await receive());
    deployed = [next];
    answers.push(await receive());
    expect(answers).toEqual(Array(5).fill('{"outcome":"handled"}'));
    expect(new Set(handled).size).toBe(5);
  });
});
