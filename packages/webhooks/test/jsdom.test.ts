import { readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import type * as webhooks from '@svc/webhooks';
import type * as testing from '@svc/webhooks/testing';
import { describe, expect, it, vi } from 'vitest';
import { NOW_MS, SECRET, signedMessage } from './support/message.ts';

const dist = join(import.meta.dirname, '../dist');

/**
 * A global object without what Jest's jsdom lacks: `TextEncoder`, `TextDecoder`, `Request`, `Response`, `fetch` and
 * `crypto.randomUUID`.
 */
const createJsdom = () =>
  createContext({
    ...{ process, console, setTimeout, clearTimeout, Buffer, Blob, Headers, atob, btoa },
    crypto: { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes) },
  });

/** Loads a CommonJS file of the build and what it requires, in that global object. */
function load(path: string, context: object, hashing: string): unknown {
  const inPackage: { [name: string]: string } = {
    '#hashing': join(dist, `hashing/${hashing}.cjs`),
    '#index': join(dist, hashing === 'node' ? 'index.node.cjs' : 'index.cjs'),
  };
  const loaded = new Map<string, object>();
  const requireFile = (file: string): object => {
    const known = loaded.get(file);
    if (known) return known;
    const module = { exports: {} };
    const requireFrom = (name: string) => requireFile(inPackage[name] ?? createRequire(file).resolve(name));
    runInContext(wrap(readFileSync(file, 'utf8')), context)(module.exports, requireFrom, module);
    loaded.set(file, module.exports);
    return module.exports;
  };
  return requireFile(join(dist, path));
}

describe.each(['node', 'portable'])('in a global object like that of jsdom in Jest, the %s build', (hashing) => {
  const index = hashing === 'node' ? 'index.node.cjs' : 'index.cjs';

  it('verifies bytes and strings, and refuses only bytes that are not UTF-8', () => {
    const { verifyWebhook } = load(index, createJsdom(), hashing) as typeof webhooks;
    const verify = (message: ReturnType<typeof signedMessage>) =>
      verifyWebhook({ ...message, secrets: SECRET, now: NOW_MS });
    const { body, ...signed } = signedMessage({});
    for (const given of [body, Buffer.from(body), new Uint8Array(Buffer.from(body))]) {
      expect(verify({ ...signed, body: given })).toMatchObject({ known: true });
    }
    expect(() => verify(signedMessage({ body: new Uint8Array([0xff]) }))).toThrow('body not utf8');
    const long = signedMessage({ body: body + ' '.repeat(400_000) });
    expect(verify(long)).toMatchObject({ known: true });
    expect(() => verifyWebhook({ ...long, secrets: SECRET, now: NOW_MS, maxBodyBytes: 300_000 })).toThrow(
      'body too large',
    );
  });

  it('signs, and sends a fixture to webhooks.fetch', async () => {
    const context = createJsdom();
    const { createWebhooks, memoryDedupe } = load(index, context, hashing) as typeof webhooks;
    const { sendFixture, signWebhook } = load('testing.cjs', context, hashing) as typeof testing;
    const receiver = createWebhooks({ secrets: SECRET, onReject: () => {}, dedupe: memoryDedupe() });
    const handle = vi.fn();
    receiver.on('lifecycle.evaluated', handle);
    const { headers, body } = signWebhook({ secrets: SECRET, event: 'lifecycle.evaluated' });
    const fixture = { url: 'https://receiver.example/', headers, body };
    for (const _copy of [1, 2]) expect((await sendFixture(fixture, receiver.fetch)).status).toBe(200);
    expect(handle).toHaveBeenCalledOnce();
    expect((await sendFixture({ ...fixture, body: `${body} ` }, receiver.fetch)).status).toBe(401);
    expect(receiver.verify(signWebhook({ secrets: SECRET, body: Buffer.from(body) })).event.type).toBe(
      'lifecycle.evaluated',
    );
  });
});
