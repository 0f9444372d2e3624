import { createWebhooks, memoryDedupe } from '@svc/webhooks';
import { describe, expect, it } from 'vitest';
import { startReferenceServer } from './support/reference-server.ts';

describe('a secret that is rotated (Signature, 5)', () => {
  it('is refused at no moment of a correct rollout, also while some processes have it and some not', async () => {
    await using service = await startReferenceServer();
    const old = service.secret;
    const next = { secret: '' };
    const receivers = {
      old: () => [old],
      both: () => [next.secret, old],
      new: () => [next.secret],
    };
    /** What each receiver makes of one and the same delivery: the position of the secret that verified it, or the refusal. */
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
    // From here to the end of the 24 hours, whichever of the three a process has, it verifies.
    const within = { signatures: 2, old: 0, both: 0, new: 0 };
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT12H');
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT11H59M');
    expect(await outcomes('old', 'both', 'new')).toEqual(within);
    await service.advance('PT61S');
    // Whoever was never given the new secret is out; all others do not notice.
    const after = { signatures: 1, old: 'no_match', both: 0, new: 0 };
    expect(await outcomes('old', 'both', 'new')).toEqual(after);
    await service.advance('PT48H');
    expect(await outcomes('old', 'both', 'new')).toEqual(after);
  });

  it('is exchanged in a receiver that runs on: each delivery is handled once', async () => {
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
