import { signWebhook } from '@svc/webhooks/testing';
import { describe, expect, it } from 'vitest';
import { findInstalled, requireInstalled } from '../../../../runtimes/installed.ts';
import { bundleFor } from '../support/bundle.ts';
import { SECRET } from '../support/message.ts';
import { startReferenceServer } from '../support/reference-server.ts';
import { startWorker } from '../support/workerd.ts';

const isInstalled = findInstalled('miniflare') !== undefined;
if (!isInstalled) console.warn('Not tested in Workers: miniflare is not installed (npm run runtimes).');

/** A worker that receives at `/`. At `/parsed` it reads the body first, by mistake. */
const WORKER = `
  import { createWebhooks, memoryDedupe } from '@svc/webhooks';
  let webhooks;
  export default {
    async fetch(request, environment) {
      if (!webhooks) {
        webhooks = createWebhooks({ secrets: environment.SECRETS, maxBodyBytes: 10_000, dedupe: memoryDedupe() });
        webhooks.on('lifecycle.*', () => {});
      }
      if (new URL(request.url).pathname === '/parsed') await request.json();
      return webhooks.fetch(request);
    },
  };`;

describe.skipIf(!isInstalled)('Workers', () => {
  it('receive, deduplicate and refuse like every framework', async () => {
    await using service = await startReferenceServer();
    const script = await bundleFor('workerd', WORKER);
    await using worker = startWorker(requireInstalled, script, { SECRETS: [SECRET, service.secret] });
    const post = async ({ headers, body }: { headers: Record<string, string>; body: string }, path = '/') => {
      const response = await worker.fetch(`http://worker.test${path}`, { method: 'POST', headers: own(headers), body });
      const { outcome, code } = (await response.json()) as { outcome: string; code?: string };
      return [response.status, code ?? outcome];
    };
    const evaluated = signWebhook({ secrets: SECRET, event: 'lifecycle.evaluated' });
    expect(await post(evaluated)).toEqual([200, 'handled']);
    expect(await post(evaluated)).toEqual([200, 'duplicate']);
    expect(await post(await service.delivery())).toEqual([200, 'handled']);
    expect(await post({ ...evaluated, body: `${evaluated.body} ` })).toEqual([401, 'no_match']);
    const large = signWebhook({ secrets: SECRET, body: JSON.stringify('x'.repeat(50_000)) });
    expect(await post(large)).toEqual([413, 'body_too_large']);
    expect(await post(evaluated, '/parsed')).toEqual([500, 'body_already_read']);
  });
});

/** Removes the headers that belong to the connection. */
function own(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => /^(webhook-|content-type)/.test(name)));
}
