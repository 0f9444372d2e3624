import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBuilt } from '../support/build-site.ts';
import { type OpenSite, openSite } from '../support/open-site.ts';

describe.skipIf(!executablePath || !isBuilt())('A table', () => {
  const cleanup = new AsyncDisposableStack();
  let site: OpenSite;
  beforeAll(async () => {
    site = cleanup.use(await openSite());
  });
  afterAll(() => cleanup.disposeAsync());

  /** The first row of a page's first table: how far it reaches, and what stands before its last cell. */
  async function firstRow(path: string, width: number) {
    await site.page.setViewportSize({ width, height: 800 });
    await site.open(path);
    const row = site.page.locator('.vp-doc table tbody tr').first();
    return row.evaluate((one) => {
      const cells = [...one.children];
      const last = cells.at(-1) as Element;
      return {
        label: getComputedStyle(last, '::before').content,
        lines: new Set(cells.map((cell) => cell.getBoundingClientRect().top)).size,
        right: Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)),
      };
    });
  }

  test('with three columns is a list on a phone, which names the columns', async () => {
    const { label, lines, right } = await firstRow('/guides/configuration.html', 390);
    expect(label).toBe('"meaning: "');
    expect(lines).toBe(3);
    expect(right).toBeLessThanOrEqual(390);
  });

  test('with three columns stays a table in a wide window', async () => {
    expect(await firstRow('/guides/configuration.html', 1280)).toMatchObject({ label: 'none', lines: 1 });
  });

  test('with two columns stays a table on a phone', async () => {
    const { label, lines, right } = await firstRow('/guides/events-and-deliveries.html', 390);
    expect({ label, lines }).toEqual({ label: 'none', lines: 1 });
    expect(right).toBeLessThanOrEqual(390);
  });
});
