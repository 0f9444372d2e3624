import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RETRY_DELAYS_MS } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { docs } from '../../.vitepress/navigation.ts';
import { site } from '../../build/check-links.ts';
import { isBuilt } from '../support/build-site.ts';

const read = (name: string) => readFileSync(join(docs, 'pictures', name), 'utf8');
const diagrams = globSync('*.svg', { cwd: join(docs, 'pictures') }).filter((name) =>
  read(name).includes('class="diagram"'),
);

/** The texts of a diagram, in order. */
const textsIn = (svg: string) => [...svg.matchAll(/<text[^>]*>\s*([^<]*?)\s*<\/text>/g)].map(([, text]) => text);

/** When attempts run, as the diagram writes it: hours and minutes since the first one. */
function times(delaysMs: readonly number[]): string[] {
  let minutes = 0;
  return delaysMs.map((delayMs) => {
    minutes += delayMs / 60_000;
    return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')} h`;
  });
}

test('The diagram of the retry schedule has the times of the service', () => {
  const drawn = textsIn(read('retry-schedule.svg')).filter((text) => /^\d+:\d\d h$/.test(String(text)));
  expect(drawn).toEqual(times(RETRY_DELAYS_MS));
  expect(drawn).not.toEqual(times(RETRY_DELAYS_MS.toReversed()));
});

describe.each(diagrams)('The diagram %s', (name) => {
  test('has a title, and a style for light and dark', () => {
    expect(read(name)).toMatch(/<title>[^<]+<\/title>/);
    expect(read(name)).toContain('prefers-color-scheme:dark');
  });

  test('is narrow, so that a phone shows its text', () => {
    const [, width] = /viewBox="0 0 (\d+) \d+"/.exec(read(name)) ?? [];
    expect(Number(width)).toBeLessThanOrEqual(400);
    const sizes = [...read(name).matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(12);
  });
});

test.skipIf(!isBuilt())('A page has its diagram inside, without a style of its own and with a name', () => {
  const page = readFileSync(join(site, 'guides/events-and-deliveries.html'), 'utf8');
  expect(page.match(/<svg role="img" aria-label="[^"]{20,}"/g)).toHaveLength(3);
  expect(page).not.toContain('prefers-color-scheme:dark');
});
