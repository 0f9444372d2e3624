// A check that never fails is worthless. These tests break the page on purpose, and each check must report it.

import { executablePath, findings } from '@svc/testing/browser';
import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { actAs } from '../journeys/support/acting.ts';
import {
  expectButtons,
  expectNowhere,
  expectServiceSentence,
  expectShownAsText,
  expectVisibleFocus,
} from '../journeys/support/checks.ts';
import { createCredential } from '../journeys/support/create-credential.ts';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from '../journeys/support/journey.ts';
import { type Receiver, startReceiver } from '../journeys/support/receiver.ts';

const W = `w/${demo.production.id}`;

/** Adds a line to the page's first script. It runs once the page has loaded. */
const add = (line: string) => (script: string, name: string) =>
  name.startsWith('index-') ? `${script}\naddEventListener("load", () => { ${line} });` : script;

/** Changes the text of a script. */
const change = (from: RegExp | string, to: string) => (script: string) => script.replaceAll(from, to);

type Break = (script: string, name: string) => string;

/** Closes a window. Scripts that are still loading do not matter. */
async function close(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.context().close();
}

describe.skipIf(!executablePath)('a page that is broken on purpose', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let deliveryId: string;
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver(500, 'a\u202eb'));
    journey = cleanup.use(await startJourney());
    await journey.call('POST', '/_control/clock', { freeze: true });
    await addEndpoint(journey, receiver.url);
    [deliveryId = ''] = await cause(journey);
    await settle(journey);
  });
  afterAll(() => cleanup.disposeAsync());

  /** Opens a path in a window whose scripts are changed while they load. */
  async function openBroken(path: string, broken: Break): Promise<Page> {
    const page = await journey.newPage({});
    let isBroken = false;
    await page.route('**/dashboard/assets/*.js', async (route: Route) => {
      const response = await route.fetch();
      const script = await response.text();
      const body = broken(script, new URL(response.url()).pathname.split('/').at(-1) ?? '');
      isBroken ||= body !== script;
      await route.fulfill({ response, body });
    });
    await journey.open(path, page);
    await page.locator('main h1').first().waitFor();
    await expect.poll(() => isBroken, { message: 'The script does not contain the text to change.' }).toBe(true);
    return page;
  }

  describe('is reported by every journey', () => {
    test('errors and violations of the policy', async () => {
      const breaks: readonly (readonly [line: string, problem: string])[] = [
        ['console.error("broken on purpose")', 'console: broken on purpose'],
        ['throw new Error("nobody catches this")', 'error: nobody catches this'],
        [
          'document.head.append(Object.assign(document.createElement("style"), { textContent: "p {}" }))',
          'Applying inline style violates',
        ],
        ['document.body.innerHTML = "<b>markup</b>"', 'TrustedHTML'],
        ['fetch("http://127.0.0.1:1/")', "Connecting to 'http://127.0.0.1:1/' violates"],
      ];
      const all: Break = (script, name) => breaks.reduce((text, [line]) => add(line)(text, name), script);
      const page = await openBroken(W, all);
      for (const [, problem] of breaks) {
        await expect.poll(() => journey.problems).toContainEqual(expect.stringContaining(problem));
      }
      await close(page);
      journey.problems.splice(0);
    });

    test('a violation whose error a script catches', async () => {
      const page = await openBroken(W, add('try { Function("") } catch {}'));
      const reported = 'violates require-trusted-types-for: trusted-types-sink';
      await expect.poll(() => journey.problems).toContainEqual(expect.stringContaining(reported));
      await close(page);
      journey.problems.splice(0);
    });

    test('a request to another origin, if no policy stopped it', async () => {
      const page = await journey.newPage({});
      await page.route('**/dashboard/w/*', async (route) => {
        const response = await route.fetch();
        const { 'content-security-policy': _, ...headers } = response.headers();
        await route.fulfill({ response, headers });
      });
      await journey.open(W, page);
      await page.evaluate((url) => Object.assign(new Image(), { src: url }), receiver.url);
      await expect.poll(() => journey.problems).toContainEqual(`request to another origin: ${receiver.url}`);
      await close(page);
      journey.problems.splice(0);
    });

    test('at its end, which fails', async () => {
      const broken = async () => {
        await using own = await startJourney();
        own.allow(/something else/);
        await own.open('');
        await own.page.evaluate(() => console.error('broken on purpose'));
        await expect.poll(() => own.problems).toHaveLength(1);
      };
      await expect(broken()).rejects.toThrow('to deeply equal []');
    });
  });

  const rule = (text: string) => add(`document.styleSheets[0].insertRule(${JSON.stringify(text)})`);

  test('is reported by axe', async () => {
    const pale = rule('h1 { color: #bbb !important; background: #fff !important }');
    const nameless = add('document.body.append(document.createElement("button"))');
    const page = await openBroken(W, (script, name) => pale(nameless(script, name), name));
    const rules = async () => (await findings(page)).map((found) => found.replace(/:.*/s, ''));
    await expect.poll(rules).toEqual(expect.arrayContaining(['button-name', 'color-contrast']));
    await close(page);
  });

  const cases: readonly (readonly [check: string, path: () => string, Break, (page: Page) => Promise<void>, RegExp])[] =
    [
      [
        'the check of journey 3: the sentence is not the one of the control API',
        () => `${W}/deliveries/${deliveryId}`,
        change(/(children:\w+)\.sentence/g, '$1.reason'),
        (page) => expectServiceSentence(page, journey, deliveryId),
        /expected 'clock_frozen' to be 'Attempt 2/,
      ],
      [
        'the check of journey 10: a key stays in the page',
        () => `${W}/api-keys`,
        add(
          'new MutationObserver(() => { const shown = document.querySelector("dialog pre"); if (shown) localStorage.kept = shown.textContent }).observe(document.body, { subtree: true, childList: true })',
        ),
        async (page) => await expectNowhere(page, await createCredential({ ...journey, page }, 'API key', 'Broken')),
        /not to contain 'svc_sk_test_/,
      ],
      [
        'the check of journey 11: a button works without its permission',
        () => `${W}/webhooks`,
        change(/why:(\w+)=>\w+\(\1\)\?/g, 'why:$1=>true?'),
        async (page) => {
          await actAs(page, 'Vera Viewer');
          await page
            .getByRole('button', { name: /^Acting as/ })
            .getByText('Viewer', { exact: true })
            .waitFor();
          const register = page.getByRole('button', { name: 'Register endpoint' });
          await expectButtons([register], 'Viewer: needs workspace:developer:write');
        },
        /deeply equal/,
      ],
      [
        'the check of journey 16: the focus cannot be seen',
        () => `${W}/deliveries`,
        rule('*, ::after { outline: none !important }'),
        async (page) => {
          await page.keyboard.press('Tab');
          await expectVisibleFocus(page);
        },
        /to match object/,
      ],
      [
        'the check of journey 17: a character of the receiver acts on the text around it',
        () => `${W}/deliveries/${deliveryId}`,
        change(String.raw`\p{Cf}`, ''),
        (page) => expectShownAsText(page, page.getByRole('region', { name: 'Response body' }), 'a\\u202eb'),
        /to be 'a\\\\?u202eb'/,
      ],
    ];

  test.each(cases)('fails %s', async (_what, path, broken, check, problem) => {
    const page = await openBroken(path(), broken);
    await expect(check(page)).rejects.toThrow(problem);
    await close(page);
  });
});
