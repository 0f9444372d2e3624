import { join } from 'node:path';
import { LISTENER_DESCRIPTIONS } from '@svc/contract';
import { startProcess } from '@svc/testing';
import { executablePath, startBrowser } from '@svc/testing/browser';
import type { Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { demo, reportViolations, watch } from '../journeys/support/journey.ts';
import { startReceiver } from '../journeys/support/receiver.ts';

/** `docs/figures.md` and the guide promise this. */
const CLICKS_MAX = 2;

test.skipIf(!executablePath)(
  'from the start of the server to why a delivery failed, and that it arrives once the receiver is fixed',
  async () => {
    const startedAt = performance.now();
    await using server = await startProcess(
      ['--memory'],
      [process.execPath, join(inject('packedServer'), 'bin/svc-mock.js'), 'start'],
    );
    const { url } = server.ready;
    await using receiver = await startReceiver(503, 'The order database is down.');
    await using browser = await startBrowser();
    const context = await browser.newContext();
    await reportViolations(context);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
    const problems: string[] = [];
    context.on('page', (opened) => watch(opened, [new URL(url).origin], problems));
    const page = await context.newPage();
    let clicks = 0;
    const click = async (target: Locator) => {
      clicks++;
      await target.click();
    };
    await page.goto(`${url}/dashboard`);
    const steps = page.getByRole('region', { name: 'Set up' });
    await click(steps.getByTitle('Copy Receive without code'));
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('listen --server');
    // The command registers this. Its time belongs to the shell, and its own tests measure it.
    const response = await fetch(`${url}/v1/webhooks/endpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        url: receiver.url,
        subscribedEvents: ['*'],
        description: `${LISTENER_DESCRIPTIONS.responds} this-machine`,
      }),
    });
    expect(response.status).toBe(201);
    const first = steps.locator('.first-delivery');
    await first.getByText(/HTTP 503/).waitFor();
    const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1);
    const whyAfter = seconds();
    receiver.answer(204);
    await click(first.getByRole('button', { name: 'Advance to next attempt' }));
    await first.getByText('Attempt 2 succeeded').waitFor();
    console.info(`Why it failed: after ${whyAfter} s. It arrives: after ${seconds()} s and ${clicks} clicks.`);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
    expect(problems).toEqual([]);
  },
);
