import { APPEARANCE, executablePath, findings } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { demo, type Journey, startJourney } from '../journeys/support/journey.ts';

/** Features that lead to Scalar's vendor, and are switched off. */
const VENDOR = /\bAI\b|\bMCP\b|\bShare\b|Deploy|Scalar|API Client|Sign up|Log ?in/i;

/** Opens the API reference, at an operation. */
async function openDocs({ server, page }: Pick<Journey, 'server' | 'page'>, operation = ''): Promise<void> {
  await page.goto(`${server.url}/docs${operation && `#${operation}`}`);
  await page.getByRole('heading', { name: 'Workspace Lifecycle Service API' }).waitFor({ state: 'attached' });
}

/** Opens "Test Request" for an operation, sends it, and returns the text of the dialog once it shows a response. */
async function tryOperation(page: Page, path: string): Promise<string> {
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: `Test Request (get ${path})` }).click();
  await dialog.getByRole('button', { name: /^Send get request to/ }).click();
  await dialog.getByText('Response Headers').click();
  await dialog.getByText('service-request-id').waitFor();
  return await dialog.innerText();
}

/** Removes the console line for an error response. */
const forgive = ({ problems }: Journey, status: number) =>
  expect(problems.splice(0)).toEqual([expect.stringContaining(`status of ${status}`)]);

test.skipIf(!executablePath)('journey 22: an operation is found by search and tried with the demo key', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await openDocs(journey);
  expect(await page.locator('body').innerText()).not.toMatch(VENDOR);
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click();
  await page.getByRole('combobox').or(page.getByRole('searchbox')).last().fill('identify the caller');
  await page
    .getByRole('option', { name: /Identify the caller/ })
    .first()
    .click();
  await expect.poll(() => page.url()).toMatch(/\/retrieveIdentity$/);
  const shown = await tryOperation(page, '/v1/me');
  expect(shown).toContain('200 OK');
  expect(shown).not.toMatch(VENDOR);
  const { data } = (await call('GET', '/_control/requests')).body;
  expect(data[0]).toMatchObject({ operation: 'retrieveIdentity', status: 200, workspaceId: demo.production.id });
  // Nothing that was typed or sent is stored.
  expect(await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))).not.toContain(
    demo.production.key,
  );
});

test.skipIf(!executablePath)('journey 14: "try" in /docs meets a fault and the rate limit', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('POST', '/_control/faults', { target: 'api', effect: { status: 503 } });
  await openDocs(journey, 'retrieveIdentity');
  expect(await tryOperation(page, '/v1/me')).toContain('503 Service Unavailable');
  forgive(journey, 503);
  await call('DELETE', '/_control/faults');
  const asked = await Promise.all(Array.from({ length: 301 }, () => call('GET', '/v1/me')));
  expect(asked.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  await openDocs(journey, 'retrieveIdentity');
  await page.reload();
  expect(await tryOperation(page, '/v1/me')).toContain('429 Too Many Requests');
  forgive(journey, 429);
});

test.skipIf(!executablePath)('the request log leads to the operation, and its samples have the demo key', async () => {
  await using journey = await startJourney();
  const { page, call } = journey;
  await call('GET', '/v1/events');
  await journey.open(`w/${demo.production.id}/requests`);
  await page.getByRole('link', { name: /\/v1\/events/ }).click();
  await page.getByRole('link', { name: 'listEvents in the API reference' }).click();
  await expect.poll(() => page.url()).toMatch(/\/docs#api\/tag\/events\/listEvents$/);
  // It has no accessible name until the pointer is over it.
  await page.locator('[id$="/listEvents"] [class*="copy-button"]').first().click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `curl -H 'Authorization: Bearer ${demo.production.key}' \\\n  '${journey.server.url}/v1/events?type=lifecycle.evaluated'`,
  );
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
});

test.skipIf(!executablePath)('the control API is the second document', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await openDocs(journey);
  await page.getByRole('button', { name: 'Service', exact: true }).click();
  await page.getByRole('option', { name: 'Control API' }).click();
  await page.getByRole('heading', { name: 'Control API of the reference server' }).waitFor();
  expect(await page.locator('body').innerText()).not.toMatch(VENDOR);
});

/** Findings of axe inside Scalar that we cannot change. See docs/inside-the-dashboard.md. */
const INSIDE_SCALAR = ['button-name', 'label-content-name-mismatch', 'scrollable-region-focusable', 'target-size'];

test.skipIf(!executablePath).each([
  ['light', undefined],
  ['dark', APPEARANCE],
] as const)('axe finds only known problems of Scalar in /docs: %s', async (colorScheme, depending) => {
  await using journey = await startJourney({ context: { colorScheme } });
  await openDocs(journey, 'createWebhookEndpoint');
  await journey.page.getByRole('button', { name: 'Test Request (post /v1/webhooks/endpoints)' }).waitFor();
  const rules = (await findings(journey.page, depending)).map((found) => found.replace(/:.*/s, ''));
  expect(rules.filter((rule) => !INSIDE_SCALAR.includes(rule))).toEqual([]);
});
