import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startServer } from '@svc/mock-server';
import { executablePath } from '@svc/testing/chromium';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findInstalled, type Installable, requireInstalled } from '../../../../runtimes/installed.ts';
import { bundleScenario } from './bundles.ts';
import { startGateway } from './gateway.ts';
import { createProject, type Project } from './packed.ts';
import type { Target } from './scenario.ts';

const CHROMIUM_FLAGS = `--headless --no-sandbox --disable-gpu --disable-quic --no-first-run
  --disable-background-networking --disable-component-update --disable-sync`.split(/\s+/);
const run = promisify(execFile);

let project: Project;
let program: string;

beforeAll(async () => {
  project = createProject();
  program = project.write('program.mjs', await bundleScenario(project, 'cli'));
});
afterAll(() => project[Symbol.dispose]());

const start = (publicUrl?: string) => startServer({ port: 0, dataDir: null, logLevel: 'silent', publicUrl });

function targetOf({ url, credentials }: Awaited<ReturnType<typeof start>>): Target {
  const find = (kind: string) => credentials.find((issued) => issued.kind === kind)?.credential ?? '';
  return { baseUrl: url, apiKey: find('api_key'), accessToken: find('personal_access_token') };
}

// The parts of miniflare and Playwright that this test uses. The compiler cannot see their own types.
interface Worker {
  dispatchFetch(url: string, init: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}
interface Browsers {
  launchPersistentContext(profile: string, options: object): Promise<Browser>;
}
interface Browser {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate<Given, Result>(inPage: (given: Given) => Promise<Result>, given: Given): Promise<Result>;
}

/** Runs `it` if the tool is installed. Otherwise, it prints why and skips the test. */
function having(tool: Installable, title: string, test: (path: string) => Promise<void>): void {
  const path = findInstalled(tool);
  if (!path) console.info(`Skipped, ${tool} is not installed (npm run runtimes): ${title}`);
  it.skipIf(!path)(title, () => test(path ?? ''));
}

async function expectScenario(command: string, ...args: string[]): Promise<void> {
  await using server = await start();
  const { stdout } = await run(command, [...args, program, JSON.stringify(targetOf(server))]);
  expect(JSON.parse(stdout)).toHaveLength(24);
}

describe('the scenario against the reference server', () => {
  having('node-22', 'passes on Node 22', (path) => expectScenario(join(path, 'bin/node')));
  having('node-24', 'passes on Node 24', (path) => expectScenario(join(path, 'bin/node')));
  having('node-26', 'passes on Node 26', (path) => expectScenario(join(path, 'bin/node')));
  having('bun', 'passes on Bun', (path) => expectScenario(join(path, 'bin/bun.exe'), 'run'));
  having('deno', 'passes on Deno', (path) =>
    expectScenario(join(path, 'deno'), 'run', '--quiet', '--no-lock', '--allow-net'),
  );

  having('miniflare', 'passes in workerd', async (path) => {
    await using server = await start();
    const { Miniflare } = requireInstalled(path) as { Miniflare: new (options: object) => Worker };
    const worker = new Miniflare({
      modules: true,
      script: await bundleScenario(project, 'worker'),
      compatibilityDate: '2026-04-01',
    });
    try {
      const answer = await worker.dispatchFetch('http://localhost/', {
        method: 'POST',
        body: JSON.stringify(targetOf(server)),
      });
      const text = await answer.text();
      expect(answer.status, text).toBe(200);
      expect(JSON.parse(text)).toHaveLength(24);
    } finally {
      await worker.dispose();
    }
  });

  having('playwright-core', 'passes in headless Chromium', async (path) => {
    if (!executablePath) return console.info("Skipped without Debian's chromium: passes in headless Chromium");
    const { chromium } = requireInstalled(path) as { chromium: Browsers };
    const profile = mkdtempSync(join(tmpdir(), 'svc-chromium-'));
    using gateway = await startGateway({
      '/': { type: 'text/html', text: '<script type="module" src="/scenario.js"></script>' },
      '/scenario.js': { type: 'text/javascript', text: await bundleScenario(project, 'page') },
    });
    await using server = await start(gateway.url);
    gateway.upstream = server.url;
    const browser = await chromium.launchPersistentContext(profile, {
      executablePath,
      args: CHROMIUM_FLAGS,
      headless: true,
    });
    try {
      const page = await browser.newPage();
      await page.goto(gateway.url);
      const target = { ...targetOf(server), baseUrl: gateway.url };
      const done = await page.evaluate(
        (given) => (globalThis as unknown as { scenario(target: unknown): Promise<string[]> }).scenario(given),
        target,
      );
      expect(done).toHaveLength(24);
    } finally {
      await browser.close();
      rmSync(profile, { recursive: true, force: true });
    }
  });
});
