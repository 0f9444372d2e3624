import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { promisify } from 'node:util';
import { executablePath } from '@svc/testing/browser';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectShownAsText } from './support/checks.ts';
import { addEndpoint, cause, demo, settle, startJourney } from './support/journey.ts';
import { type Received, startReceiver } from './support/receiver.ts';

const urlOf = (id: string) => `w/${demo.production.id}/deliveries/${id}`;
const execute = promisify(execFile);

/** Answers like a receiver that knows the secret and checks the timestamp. */
const verifying = (secret: string, now: () => number) => (request: Received) => {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature = '' } = request.headers;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64url');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body}`).digest('base64');
  const isFresh = Math.abs(Number(timestamp) * 1000 - now()) <= 300_000;
  return isFresh && signature.split(' ').includes(`v1,${expected}`) ? 204 : 401;
};

/** The command that a menu item copies. */
async function copied(page: Page, choice: RegExp): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  await page.getByRole('button', { name: choice }).click();
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toContain('curl');
  const text = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press('Escape');
  return text;
}

/** Runs a command as it was copied. @returns the status of the response. */
const run = async (command: string) =>
  (await execute('sh', ['-c', `${command} -s -o /dev/null -w '%{http_code}'`])).stdout;

test.skipIf(!executablePath)(
  'journey 8: a receiver accepts the curl command that is signed now, and refuses the original one once it is old',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page } = journey;
    const { secret } = await addEndpoint(journey, receiver.url);
    let aheadMs = 0;
    receiver.decide = verifying(secret, () => Date.now() + aheadMs);
    const [id = ''] = await cause(journey);
    await settle(journey);
    await journey.open(urlOf(id));
    expect(await run(await copied(page, /Signed now/))).toBe('204');
    const asSent = await copied(page, /As sent/);
    expect(await run(asSent)).toBe('204');
    aheadMs = 6 * 60_000;
    expect(await run(asSent)).toBe('401');
  },
);

test.skipIf(!executablePath)(
  'journey 9: the page says if a pasted secret is right, expired, foreign, unknown or malformed, and sends nothing',
  async () => {
    await using receiver = await startReceiver();
    await using journey = await startJourney();
    const { page, call } = journey;
    await call('POST', '/_control/clock', { freeze: true });
    const { id: endpointId, secret: old } = await addEndpoint(journey, receiver.url);
    const foreign = await addEndpoint(journey, 'http://127.0.0.1:9/other', ['webhook.*']);
    const rotated = await call('POST', `/v1/webhooks/endpoints/${endpointId}/rotate-secret`);
    await call('POST', '/_control/clock', { advance: '25h' });
    const [id = ''] = await cause(journey);
    await settle(journey);
    await journey.open(urlOf(id));
    const dialog = page.getByRole('dialog');
    // A click waits until the dialog knows the endpoints' secrets.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(/\/_control\/endpoints\/whe_/, (route) => released.then(() => route.continue()));
    await page.getByRole('button', { name: 'Check signature' }).click();
    await dialog.getByRole('textbox').fill(foreign.secret);
    setTimeout(release, 1_000);
    await dialog.getByRole('button', { name: 'Check' }).click();
    expect(await dialog.locator('.verdict').textContent()).toContain('another endpoint');
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    let previews = 0;
    page.on('response', (response) => {
      if (/\/_control\/endpoints\/whe_/.test(response.url())) previews++;
    });
    await page.getByRole('button', { name: 'Check signature' }).click();
    // The dialog reads the previews of the secrets when it opens.
    await expect.poll(() => previews).toBeGreaterThanOrEqual(2);
    const requests: string[] = [];
    let lastAt = performance.now();
    page.on('request', (request) => {
      lastAt = performance.now();
      requests.push(request.url());
    });
    // Wait until the receiver has answered everything that the clock move started.
    await expect.poll(() => performance.now() - lastAt > 1_500).toBe(true);
    requests.splice(0);
    const verdict = async (secret: string) => {
      await dialog.getByRole('textbox').fill(secret);
      await dialog.getByRole('button', { name: 'Check' }).click();
      return await dialog.locator('.verdict').textContent();
    };
    // Enter checks. Shift+Enter breaks the line.
    await dialog.getByRole('textbox').fill(rotated.body.secret.secret);
    await page.keyboard.press('Shift+Enter');
    expect(await dialog.getByRole('textbox').inputValue()).toBe(`${rotated.body.secret.secret}\n`);
    expect(await dialog.locator('.verdict').count()).toBe(0);
    await dialog.getByRole('textbox').fill(rotated.body.secret.secret);
    await page.keyboard.press('Enter');
    await dialog.locator('.verdict', { hasText: 'is right' }).waitFor();
    // Each step that a receiver computes.
    await dialog.getByText('What your receiver must compute').click();
    const steps = dialog.locator('.steps');
    const [{ headers, body } = { headers: {} as Record<string, string>, body: '' }] = receiver.received.slice(-1);
    const key = Buffer.from(rotated.body.secret.secret.replace('whsec_', ''), 'base64url');
    const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
    const signature = `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
    expect(await steps.locator('pre').allTextContents()).toEqual([key.toString('hex'), content, signature]);
    expect(await steps.getByText('The header contains this value.').count()).toBe(1);
    expect(await verdict(old)).toContain('expired');
    expect(await verdict(foreign.secret)).toContain('another endpoint: 127.0.0.1:9/other');
    expect(await verdict(`whsec_${'A'.repeat(44)}`)).toContain('does not belong to this workspace');
    for (const [malformed, why] of [
      ['svc_sk_nothing', 'begins with whsec_'],
      [`"${old}"`, 'begins with whsec_, with nothing before it and no quotes'],
      [`v1,${old}`, 'begins with whsec_, with nothing before it'],
      ['whsec_', 'Nothing follows whsec_'],
      [`whsec_${'?'.repeat(44)}`, 'a character that no secret has'],
      ['whsec_QUJD', 'too short or too long'],
    ] as const) {
      expect(await verdict(malformed)).toContain('This is not a signing secret. ');
      expect(await verdict(malformed)).toContain(why);
    }
    // A line break would reach the receiver's environment, too.
    const right = rotated.body.secret.secret;
    for (const broken of [`${right}\n`, `\r\n${right}`, `${right.slice(0, 20)}\n${right.slice(20)}`]) {
      expect(await verdict(broken)).toMatch(/not a signing secret\. .* a line break/);
    }
    expect(requests).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    expect(await page.content()).not.toContain(old);
  },
);

/** Answers of a receiver, and how the screen shows them. */
const HOSTILE: readonly (readonly [what: string, sent: string | Buffer, shown: string])[] = [
  [
    'HTML with scripts',
    '<script>owned=1;document.title="owned"</script><img src=x onerror="owned=1"><iframe src="javascript:owned=1"></iframe><a href="javascript:owned=1">a</a>& "quotes"',
    '<script>owned=1;document.title="owned"</script><img src=x onerror="owned=1"><iframe src="javascript:owned=1"></iframe><a href="javascript:owned=1">a</a>& "quotes"',
  ],
  [
    'characters that hide or turn text',
    '\u202eevil\u2066\u200b\u0007\u001b[31m\ufeff\u{e0041}\ttab\nline\r\u2028end',
    '\\u202eevil\\u2066\\u200b\\u0007\\u001b[31m\\ufeff\\u{e0041}\ttab\nline\\u000d\\u2028end',
  ],
  // The databases cannot store NUL in text, so the server stores the replacement character instead.
  ['NUL and bytes that are not UTF-8', Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x62]), 'a\ufffd\ufffd\ufffd\ufffdb'],
];

test.skipIf(!executablePath)(
  "journey 17: a hostile receiver's response is shown as text, and none of it runs",
  async () => {
    await using receiver = await startReceiver(500);
    await using journey = await startJourney();
    const { page } = journey;
    await addEndpoint(journey, receiver.url);
    const body = page.getByRole('region', { name: 'Response body' });
    /** Opens a delivery that got this response. */
    const openWithResponse = async (answer: string | Buffer) => {
      receiver.answer(500, answer);
      const [id = ''] = await cause(journey);
      await settle(journey);
      await journey.open(urlOf(id));
    };
    for (const [, sent, shown] of HOSTILE) {
      await openWithResponse(sent);
      await expectShownAsText(page, body, shown);
      // It is isolated, so its text direction does not affect the text around it.
      expect(await body.locator('> bdi').count()).toBe(1);
    }

    const long = 'x'.repeat(64 * 1024);
    await openWithResponse(long);
    await expectShownAsText(page, body, long.slice(0, 16 * 1024));
    await page.getByRole('button', { name: 'Show all 65,536 characters' }).click();
    await expectShownAsText(page, body, long);
    // A long line wraps: neither the page nor the box scrolls sideways.
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
    expect(await body.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  },
);

test.skipIf(!executablePath)('a delivery of a deleted endpoint can be copied only as it was sent', async () => {
  await using receiver = await startReceiver();
  await using journey = await startJourney();
  const { page, call } = journey;
  const { id: endpointId } = await addEndpoint(journey, receiver.url);
  const [id = ''] = await cause(journey);
  await settle(journey);
  await call('DELETE', `/v1/webhooks/endpoints/${endpointId}`);
  await journey.open(urlOf(id));
  expect(await copied(page, /As sent/)).toContain(receiver.url);
  await page.getByRole('button', { name: 'Copy as curl' }).click();
  const signedNow = page.getByRole('button', { name: /Signed now/ });
  expect(await signedNow.getAttribute('aria-disabled')).toBe('true');
  expect(await signedNow.getAttribute('title')).toBe('The endpoint is deleted');
});

test.skipIf(!executablePath)('the page of a delivery that does not exist says so, and leads back', async () => {
  await using journey = await startJourney();
  const { page } = journey;
  await journey.open(urlOf('whd_01M823GWNPTGV3DVS95ABDJYXK'));
  await page.getByText('This delivery does not exist').waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Deliveries' }).click();
  await page.getByText('No deliveries yet').waitFor();
  journey.allow(/status of 404/);
});
