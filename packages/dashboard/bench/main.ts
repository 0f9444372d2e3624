import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { chromiumOrExit } from '@svc/testing/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { printHelpIfAsked } from '../../../scripts/usage.ts';
import { createReport, median, quantile } from './report.ts';
import { type Rate, startService, WORKSPACE } from './service.ts';
import { sizesOf } from './sizes.ts';

printHelpIfAsked(`
Measures the dashboard in Debian's chromium, and prints each result with its budget. SVC_BENCH_DELIVERIES=100000 sets
the number of deliveries.

  npm run bench -- dashboard
`);

const OPENINGS = 5;
const MANY = Number(process.env['SVC_BENCH_DELIVERIES'] ?? 100_000);
const ROUNDS = 25;
const PER_RUN = 10_000;
const TABS = 8;

const executablePath = chromiumOrExit();

const results = createReport();
await using cleanup = new AsyncDisposableStack();
const service = cleanup.use(await startService());
const browser = await launch(executablePath);
const deliveries = `${service.url}/dashboard/w/${WORKSPACE}/deliveries`;

async function launch(executablePath: string): Promise<Browser> {
  const args = ['--disable-gpu', '--disable-quic', '--enable-precise-memory-info', '--js-flags=--expose-gc'];
  const launched = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] });
  cleanup.defer(() => launched.close());
  return launched;
}

async function open(
  context: BrowserContext,
  url: string,
  prepare = async (_page: Page): Promise<void> => {},
): Promise<{ page: Page; paintMs: number; readyMs: number }> {
  const page = await context.newPage();
  await prepare(page);
  await page.goto(url);
  await page.getByRole('row').nth(1).waitFor();
  const readyMs = await page.evaluate(() => performance.now());
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  );
  return { page, paintMs, readyMs };
}

/** Prints how long this machine needs to show a page with one word, for comparison with the later measurements. */
async function emptyPage(): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${service.url}/health/live`);
  const { paintMs, frames } = await page.evaluate(async () => {
    const frames: number[] = [];
    let last = performance.now();
    while (frames.length < 120) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    return { paintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN, frames };
  });
  await page.close();
  const frameMs = Math.round(quantile(frames, 0.95));
  console.log(
    `An empty page on this machine: painted after ${Math.round(paintMs)} ms; 95 % of frames in ${frameMs} ms`,
  );
}

async function openings(): Promise<void> {
  await service.cause(200);
  const opened: Awaited<ReturnType<typeof open>>[] = [];
  for (let opening = 0; opening < OPENINGS; opening++) {
    const context = await browser.newContext();
    opened.push(await open(context, deliveries));
    await context.close();
  }
  const of = (name: 'paintMs' | 'readyMs') => median(opened.map((one) => one[name]));
  results.push({ what: 'first contentful paint, median', value: of('paintMs'), bound: 500, unit: 'ms' });
  results.push({ what: 'deliveries listed, median', value: of('readyMs'), bound: 800, unit: 'ms' });
}

/** Loads every delivery by scrolling, and measures rows, frames and memory. */
async function longList(): Promise<void> {
  await service.cause(MANY);
  const context = await browser.newContext();
  const { page } = await open(context, deliveries);
  const seen = await page.evaluate(async () => {
    const main = document.getElementById('main') as HTMLElement;
    const frames: number[] = [];
    let rows = 0;
    let last = performance.now();
    while (!document.body.textContent?.includes('This is the end.')) {
      main.scrollTop = main.scrollHeight;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
      rows = Math.max(rows, document.querySelectorAll('.row-line').length);
    }
    (globalThis as unknown as { gc?: () => void }).gc?.();
    const { usedJSHeapSize } = (performance as unknown as { memory: { usedJSHeapSize: number } }).memory;
    return { frames, rows, heapMb: usedJSHeapSize / 1_000_000 };
  });
  await context.close();
  const what = `${MANY.toLocaleString('en')} deliveries scrolled`;
  results.push({ what: `${what}: rows in the document`, value: seen.rows, bound: 80, unit: 'rows' });
  results.push({ what: `${what}: frames, 95 %`, value: quantile(seen.frames, 0.95), bound: 50, unit: 'ms' });
  results.push({ what: `${what}: heap`, value: seen.heapMb, bound: 150, unit: 'MB' });
}

/**
 * Measures the page, and compares two rates of the engine: with a visible tab and with a hidden tab. `hiddenTab` shows
 * that a hidden tab does nothing. In each round, the tab is hidden in runs 1 and 4, and shown in runs 2 and 3. With
 * this order, a machine that slows down during a round affects both rates equally.
 */
async function underLoad(): Promise<void> {
  // Give this process and its browser a low priority. Otherwise, the browser would take processor time from the engine,
  // and the bench would measure this effect instead of the cost of serving the page.
  setPriority(constants.priority.PRIORITY_LOW);
  await service.cause(200);
  const outside = await launch(String(executablePath));
  const context = await outside.newContext();
  await context.addInitScript(makeHidable);
  let stream = '';
  const chunks: { bytes: number; at: number }[] = [];
  const { page } = await open(context, deliveries, async (opened) => {
    const network = await context.newCDPSession(opened);
    await network.send('Network.enable');
    network.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.endsWith('/_control/stream')) stream = requestId;
    });
    // `timestamp` is in seconds.
    network.on('Network.dataReceived', ({ requestId, dataLength, timestamp }) => {
      if (requestId === stream) chunks.push({ bytes: dataLength, at: timestamp });
    });
  });
  await page.evaluate(() => {
    const kept = globalThis as unknown as { tasks: number[] };
    kept.tasks = [];
    new PerformanceObserver((list) => kept.tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  let requests = 0;
  page.on('request', () => requests++);
  const perSecond: number[] = [];
  const messages: { bytes: number; perSecond: number }[] = [];

  async function run(hidden: boolean): Promise<Rate> {
    await page.evaluate((to) => (globalThis as unknown as Hidable).setHidden(to), hidden);
    // A tab that is shown again sends requests. Wait until all these requests except the stream are done.
    await page.waitForTimeout(500);
    [chunks.length, requests] = [0, 0];
    const startedAt = performance.now();
    const rate = await service.rate(PER_RUN);
    const seconds = (performance.now() - startedAt) / 1_000;
    if (hidden) return rate;
    perSecond.push(requests / seconds);
    const between = (chunks.at(-1)?.at ?? 0) - (chunks[0]?.at ?? 0);
    messages.push({
      bytes: Math.max(0, ...chunks.map(({ bytes }) => bytes)),
      perSecond: between > 0 ? (chunks.length - 1) / between : 0,
    });
    return rate;
  }

  await run(false);
  const rounds: { shown: Rate[]; hidden: Rate[] }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const [first, second, third, fourth] = [await run(true), await run(false), await run(false), await run(true)];
    rounds.push({ hidden: [first, fourth], shown: [second, third] });
  }
  const tasks = await page.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  await context.close();
  for (const state of ['shown', 'hidden'] as const) {
    const of = (what: keyof Rate) =>
      Math.round(median(rounds.flatMap((round) => round[state].map((rate) => rate[what]))));
    console.log(`tab ${state}: ${of('perSecond')} deliveries/s, ${of('cpuMicroseconds')} µs of processor time each`);
  }
  const total = (rates: readonly Rate[]) => rates.reduce((sum, { perSecond }) => sum + perSecond, 0);
  const slowed = rounds.map(({ shown, hidden }) => (1 - total(shown) / total(hidden)) * 100);
  const noise = rounds.map(({ hidden: [first, last] }) => (1 - (last?.perSecond ?? 0) / (first?.perSecond ?? 1)) * 100);
  console.log(`noise: two runs of a hidden tab in one round differ by ${median(noise).toFixed(2)} % (median)`);
  results.push({ what: 'engine slowed by an open page, median', value: median(slowed), bound: 2, unit: '%' });
  results.push({ what: 'requests of the page under load', value: Math.max(...perSecond), bound: 3, unit: '/s' });
  results.push({ what: 'longest task under load', value: Math.max(0, ...tasks), bound: 200, unit: 'ms' });
  const most = (name: 'bytes' | 'perSecond') => Math.max(...messages.map((one) => one[name]));
  if (most('bytes') === 0) throw new Error('The page received no message from the stream.');
  results.push({ what: 'messages of the stream under load', value: most('perSecond'), bound: 4, unit: '/s' });
  results.push({ what: 'largest message of the stream', value: most('bytes') / 1_000, bound: 16, unit: 'KB' });
}

/** Opens eight tabs in one browser, and measures how many streams the tabs read and how fast the last tab opens. */
async function manyTabs(): Promise<void> {
  const [ratios, counts] = [[] as number[], [] as number[]];
  for (let opening = 0; opening < OPENINGS; opening++) {
    const context = await browser.newContext();
    const streams = new Set<unknown>();
    context.on('request', (request) => request.url().endsWith('/_control/stream') && streams.add(request));
    context.on('requestfinished', (request) => streams.delete(request));
    context.on('requestfailed', (request) => streams.delete(request));
    const times: number[] = [];
    for (let tab = 0; tab < TABS; tab++) times.push((await open(context, deliveries)).readyMs);
    counts.push(streams.size);
    ratios.push((times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN));
    await context.close();
  }
  results.push({ what: `streams of ${TABS} tabs`, value: Math.max(...counts), bound: 1, unit: '' });
  results.push({ what: `tab ${TABS} opens in, median`, value: median(ratios), bound: 1.5, unit: 'times the first' });
}

interface Hidable {
  setHidden(hidden: boolean): void;
}

/** Runs in a page. Lets the bench hide the page and show it again. */
function makeHidable(): void {
  (globalThis as unknown as Hidable).setHidden = (hidden) => {
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
    document.dispatchEvent(new Event('visibilitychange'));
  };
}

/** Counts the connections of a hidden tab, and the timers that the tab starts within three seconds. */
async function hiddenTab(): Promise<void> {
  const context = await browser.newContext();
  await context.addInitScript(makeHidable);
  await context.addInitScript(() => {
    const kept = globalThis as unknown as { fired: number };
    kept.fired = 0;
    const set = globalThis.setInterval.bind(globalThis);
    globalThis.setInterval = ((work: () => void, ms: number) =>
      set(() => {
        kept.fired++;
        work();
      }, ms)) as typeof setInterval;
  });
  const { page } = await open(context, deliveries);
  const inFlight = new Set<unknown>();
  page.on('request', (request) => inFlight.add(request));
  page.on('requestfinished', (request) => inFlight.delete(request));
  page.on('requestfailed', (request) => inFlight.delete(request));
  await page.reload();
  await page.getByRole('row').nth(1).waitFor();
  const fired = await page.evaluate(async () => {
    const kept = globalThis as unknown as Hidable & { fired: number };
    kept.setHidden(true);
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = kept.fired;
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    return kept.fired - before;
  });
  results.push({ what: 'connections of a hidden tab', value: inFlight.size, bound: 0, unit: '' });
  results.push({ what: 'timers that a hidden tab fires in 3 s', value: fired, bound: 0, unit: '' });
  await context.close();
}

function sizes(): void {
  const { firstScripts, scripts, styles, unpacked, scalar } = sizesOf(join(import.meta.dirname, '../dist'));
  const kilobytes = (what: string, bytes: number, bound: number) =>
    results.push({ what, value: bytes / 1_000, bound, unit: 'KB' });
  kilobytes('JavaScript needed at first, gzipped', firstScripts, 70);
  kilobytes('all JavaScript, gzipped', scripts, 140);
  kilobytes('CSS, gzipped', styles, 12);
  kilobytes('added to the package, unpacked', unpacked, 450);
  console.log(`Scalar, compressed, not part of the sizes above: ${Math.round(scalar / 1_000)} KB`);
}

const measures = [sizes, emptyPage, openings, manyTabs, hiddenTab, longList, underLoad];
/** The names of the measures to run, such as `underLoad`. Without names, all measures run. */
const wanted = process.argv.slice(2);
for (const measure of measures) if (!wanted.length || wanted.includes(measure.name)) await measure();
process.exitCode = results.missed() === 0 ? 0 : 1;
