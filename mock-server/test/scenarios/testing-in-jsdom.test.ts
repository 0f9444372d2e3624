import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { expect, it } from 'vitest';
import type * as testing from '../../src/testing/index.ts';

const file = join(import.meta.dirname, '../../dist/testing.cjs');

/** Requires `@svc/mock-server/testing` in a global object. */
function requireIn(context: object): typeof testing {
  const module = { exports: {} as typeof testing };
  runInContext(wrap(readFileSync(file, 'utf8')), context)(module.exports, createRequire(file), module, file);
  return module.exports;
}

it('gives a test in jsdom the classes and the `fetch` that a client needs', async () => {
  // jsdom has signals of its own, which the `fetch` of Node rejects.
  const signal = Object.assign(new EventTarget(), { aborted: true, reason: new Error('by the test') });
  const AbortSignal = class {
    throwIfAborted() {}
  };
  const jsdom = createContext({ process, URL, AbortSignal, AbortController });
  await using service = await requireIn(jsdom).startMockService();
  const inJsdom = jsdom as typeof globalThis;
  expect((await inJsdom.fetch(`${service.url}/v1/me`)).status).toBe(401);
  await expect(inJsdom.fetch(service.url, { signal: signal as never })).rejects.toThrow('by the test');
  expect(new inJsdom.Response('ok')).toBeInstanceOf(Response);
});

it('replaces nothing that is there', () => {
  const own = { Headers: class {}, Request: class {}, Response: class {}, fetch: () => {} };
  const complete = createContext({ ...own, process, ReadableStream, TextEncoder, AbortController, AbortSignal });
  requireIn(complete);
  expect(complete).toMatchObject(own);
});
