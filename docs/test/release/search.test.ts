import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt } from '../support/build-site.ts';
import { type OpenSite, openSite } from '../support/open-site.ts';

/** What a reader types, and the pages that explain it: one must be among the first three results. */
const WANTED = [
  ['rotate', 'guides/rotate-a-webhook-secret'],
  ['revoke', 'guides/rotate-a-webhook-secret|guides/authentication'],
  ['429', 'guides/rate-limits|guides/errors-and-retries|guides/error-codes'],
  ['nextPageUrl', 'guides/lists-and-expand|guides/recipes|api/@svc/client/index/interfaces/Page'],
  [
    'webhook-id',
    'guides/run-handlers-once|guides/events-and-deliveries|guides/webhook-errors|guides/headers-and-limits',
  ],
  ['dedupe', 'guides/run-handlers-once'],
  ['expand', 'guides/lists-and-expand'],
  ['idempotent', 'guides/go-live|guides/errors-and-retries|guides/run-handlers-once'],
  ['snapshot', 'guides/seeds|reference/command-snapshots|reference/control-snapshots'],
  ['seed', 'guides/seeds|reference/server'],
  ['clock', 'guides/virtual-clock'],
  ['retry', 'guides/errors-and-retries'],
  ['listen', 'guides/develop-locally|reference/command-events'],
  ['MSW', 'guides/test-without-a-socket|guides/test-your-code'],
  ['Vitest', 'guides/test-with-a-runner'],
  ['NestJS', 'guides/connect-your-framework|guides/recipes'],
  ['proxy', 'guides/customize-the-client'],
  ['no_match', 'guides/webhook-errors'],
  ['--strict', 'guides/run-in-production|guides/configuration'],
  ['createClient', 'api/@svc/client/index/functions/createClient'],
  ['sendTestEvent', 'guides/make-your-first-call'],
  ['Connection refused', 'guides/fix-a-failed-delivery'],
  ['auto_disabled', 'reference/event-catalog'],
  ['faults', 'guides/injecting-faults'],
  ['Prometheus', 'guides/observing-the-server'],
  // What a newcomer types.
  ['payload', 'reference/event-catalog'],
  ['what is a workspace', 'guides/workspaces-users-credentials'],
  ['how do I rotate a secret', 'guides/rotate-a-webhook-secret'],
  ['why did my delivery fail', 'guides/fix-a-failed-delivery'],
  ['how do I verify a signature', 'guides/signatures-and-secrets|guides/fix-a-failed-delivery'],
  ['retry schedule', 'guides/events-and-deliveries'],
  ['personal access token', 'guides/workspaces-users-credentials|guides/authentication'],
  ['Node version', 'versioning'],
  ['ngrok', 'guides/develop-locally|faq'],
  ['changelog', 'reference/changelog'],
  ['express', 'guides/connect-your-framework'],
  ['python', 'guides/connect-your-framework|faq'],
  ['churned', 'guides/profiles-and-evaluations|what-it-is'],
  ['security', 'security-model'],
  ['license', 'faq'],
  ['how to test a webhook', 'guides/test-a-webhook-receiver|guides/test-with-a-runner'],
  ['idempotency', 'guides/errors-and-retries|guides/go-live|guides/run-handlers-once'],
  ['which IP ranges may deliveries go to', 'faq|security-model'],
  ['how long are events retried', 'guides/events-and-deliveries'],
  ['rotate a secret without downtime', 'guides/rotate-a-webhook-secret'],
  ['what happens on a 410 response', 'faq'],
  ['pagination', 'guides/lists-and-expand'],
] as const;

describe.skipIf(!executablePath || !isBuilt())('The search, offline,', () => {
  const cleanup = new AsyncDisposableStack();
  let site: OpenSite;
  beforeAll(async () => {
    site = cleanup.use(await openSite());
    await site.open('/start.html');
    await site.page.keyboard.press('Control+k');
  });
  afterAll(() => cleanup.disposeAsync());

  async function searchNothing(): Promise<void> {
    await site.page.locator('#localsearch-input').fill('zzzzqqqq');
    await site.page.locator('.no-results').waitFor();
  }

  /** The pages of the first three results. */
  async function search(words: string): Promise<string[]> {
    const { page } = site;
    // No result of the search before stays in the list.
    await searchNothing();
    await page.locator('#localsearch-input').fill(words);
    const results = page.locator('#localsearch-list a.result');
    await results.first().waitFor();
    const links = await results.evaluateAll((all) => all.slice(0, 3).map((one) => one.getAttribute('href') ?? ''));
    return links.map((link) => link.replace(/^\/|\.html.*$/g, ''));
  }

  test.each(WANTED)('finds %s in %s, among the first three results', async (words, wanted) => {
    const found = await search(words);
    expect(found, found.join(', ')).toSatisfy(() => wanted.split('|').some((page) => found.includes(page)));
    expect(site.problems).toEqual([]);
  });

  test('says that it found nothing', async () => {
    await searchNothing();
    expect(await site.page.locator('#localsearch-list a.result').count()).toBe(0);
  });
});
