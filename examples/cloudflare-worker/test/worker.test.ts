import { fileURLToPath } from 'node:url';
import { createClient } from '@svc/client';
import { createMockService } from '@svc/mock-server/msw';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, test } from 'vitest';

/** Bundles the worker as Wrangler does, and starts the worker. */
async function startWorker(secret: string) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../src/worker.ts', import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    conditions: ['workerd'],
  });
  return new Miniflare({
    modules: true,
    script: outputFiles[0]?.text ?? '',
    compatibilityDate: '2026-01-01',
    bindings: { WEBHOOK_SECRET: secret },
  });
}

async function deliverTo(secretOfWorker: (secret: string) => string) {
  let worker: Miniflare | undefined;
  await using service = await createMockService({
    async onDelivery(request) {
      const { status } = (await worker?.dispatchFetch(request.url, {
        method: 'POST',
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      })) ?? { status: 500 };
      return new Response(null, { status });
    },
  });
  const { apiKey, workspaceId } = await service.workspace();
  const svc = createClient({
    apiKey,
    baseUrl: 'http://127.0.0.1:4010',
    fetch: (url, init) => service.fetch(new Request(url, init)),
  });
  const { secret } = await svc.webhooks.endpoints.create({
    url: 'https://worker.test/',
    subscribedEvents: ['lifecycle.*'],
  });
  worker = await startWorker(secretOfWorker(secret.secret));
  try {
    const { deliveries } = await service.trigger('lifecycle.evaluated', { workspaceId });
    await service.waitForIdle();
    const { attempts } = await service.control.listAttempts({ deliveryId: String(deliveries[0]?.id) });
    return attempts[0]?.response?.status;
  } finally {
    await worker.dispose();
  }
}

test('the worker accepts a signed delivery', async () => {
  expect(await deliverTo((secret) => secret)).toBe(200);
});

test('the worker rejects a delivery that was signed with another secret', async () => {
  expect(await deliverTo(() => 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw')).toBe(401);
});
