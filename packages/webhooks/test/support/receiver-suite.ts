import { createWebhooks, memoryDedupe, type Webhooks } from '@svc/webhooks';
import { signWebhook } from '@svc/webhooks/testing';
import { describe, expect, it } from 'vitest';
import { SECRET, type Sent } from './message.ts';
import { startReferenceServer } from './reference-server.ts';

/** A receiver in a framework. */
export interface Mounted {
  post(sent: Sent): Promise<{ status: number; body: string }>;
  close?(): Promise<void>;
}

export interface FrameworkSuite {
  /** Mounts the receiver as its guide says. */
  mount(webhooks: Webhooks): Promise<Mounted>;
  /** Mounts it after a body parser, by mistake. Absent if the framework does not allow it. */
  mountParsed?(webhooks: Webhooks): Promise<Mounted>;
  /** The expected error in that case. */
  parsedCode?: string;
}

/** Tests that every framework must pass. */
export function describeFramework(
  name: string,
  { mount, mountParsed, parsedCode = 'body_not_raw' }: FrameworkSuite,
): void {
  const seen: string[] = [];
  const webhooks = createWebhooks({ secrets: SECRET, maxBodyBytes: 10_000, dedupe: memoryDedupe() });
  webhooks.on('lifecycle.evaluated', (event, delivery) => void seen.push(`${delivery.id} ${event.subject.id}`));
  const evaluated = () => signWebhook({ secrets: SECRET, event: 'lifecycle.evaluated' });

  async function whileMounted<Result>(
    mounting: Promise<Mounted>,
    act: (mounted: Mounted) => Promise<Result>,
  ): Promise<Result> {
    const mounted = await mounting;
    try {
      return await act(mounted);
    } finally {
      await mounted.close?.();
    }
  }

  describe(name, () => {
    it('receives a valid delivery once', () =>
      whileMounted(mount(webhooks), async ({ post }) => {
        const sent = evaluated();
        expect(await post(sent)).toMatchObject({ status: 200, body: '{"outcome":"handled"}' });
        expect(await post(sent)).toMatchObject({ status: 200, body: '{"outcome":"duplicate"}' });
        expect(seen.splice(0)).toEqual([`${sent.id} wsp_sample`]);
      }));

    it('receives a delivery of the reference server', async () => {
      await using service = await startReferenceServer();
      const own = createWebhooks({ secrets: service.secret });
      own.on('lifecycle.*', (event) => void seen.push(event.type));
      await whileMounted(mount(own), async ({ post }) => {
        expect(await post(await service.delivery())).toMatchObject({ status: 200, body: '{"outcome":"handled"}' });
      });
      expect(seen.splice(0)).toEqual(['lifecycle.evaluated']);
    });

    it('refuses a body that was changed', () =>
      whileMounted(mount(webhooks), async ({ post }) => {
        const sent = evaluated();
        const answer = await post({ ...sent, body: sent.body.replace('wsp_sample', 'wsp_other_') });
        expect([answer.status, JSON.parse(answer.body).code]).toEqual([401, 'no_match']);
        expect(seen).toEqual([]);
      }));

    it('refuses a body that exceeds the limit, and answers', () =>
      whileMounted(mount(webhooks), async ({ post }) => {
        const answer = await post(signWebhook({ secrets: SECRET, body: JSON.stringify('x'.repeat(50_000)) }));
        expect([answer.status, JSON.parse(answer.body).code]).toEqual([413, 'body_too_large']);
      }));

    if (!mountParsed) return;
    it('says what to do if the body was parsed first', () =>
      whileMounted(mountParsed(webhooks), async ({ post }) => {
        const answer = await post(evaluated());
        expect([answer.status, JSON.parse(answer.body).code]).toEqual([500, parsedCode]);
      }));
  });
}
