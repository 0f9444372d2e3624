import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire, wrap } from 'node:module';
import { join } from 'node:path';
import { createContext, runInContext, runInThisContext } from 'node:vm';
import * as esm from '@svc/client';
import * as esmTesting from '@svc/client/testing';
import { PATIENCE_MS } from '@svc/testing';
import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const cjs = createRequire(import.meta.url)('@svc/client') as typeof esm;
const cjsTesting = createRequire(import.meta.url)('@svc/client/testing') as typeof esmTesting;
const dist = join(import.meta.dirname, '../dist');
const filesEndingIn = (ending: RegExp) =>
  readdirSync(dist)
    .filter((name) => ending.test(name))
    .map((name) => ({ name, text: readFileSync(join(dist, name), 'utf8') }));

async function refusalFrom(
  { createClient }: typeof esm,
  { createMockTransport, refused }: typeof esmTesting,
): Promise<unknown> {
  const mock = createMockTransport().on('GET /v1/me', refused('FORBIDDEN'));
  return createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch })
    .me.retrieve()
    .catch((error: unknown) => error);
}

describe('the built package', () => {
  it('works with import and with require, and each recognises the errors of both', async () => {
    const [fromEsm, fromCjs] = [await refusalFrom(esm, esmTesting), await refusalFrom(cjs, cjsTesting)];
    expect(fromEsm).toBeInstanceOf(esm.ApiError);
    expect(fromCjs).toBeInstanceOf(cjs.ApiError);
    expect(fromCjs).not.toBeInstanceOf(esm.ApiError);
    for (const { isApiError, isServiceError } of [esm, cjs]) {
      for (const error of [fromEsm, fromCjs]) {
        expect(isApiError(error, 'FORBIDDEN')).toBe(true);
        expect(isServiceError(error)).toBe(true);
      }
    }
  });

  it.each([esm, cjs])('sends its version', async ({ createClient }) => {
    let sent: string | undefined;
    const fetch: esm.Fetch = async (_, { headers }) => {
      sent = headers['user-agent'];
      return Response.json({});
    };
    await createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch }).me.retrieve();
    expect(sent).toMatch(new RegExp(`^svc-client/${manifest.version} Node.js/`));
  });

  it('runs in environments where CommonJS has no import(), such as Jest', async () => {
    const load = (path: string): unknown => {
      const module = { exports: {} };
      const run = runInThisContext(wrap(readFileSync(path, 'utf8')));
      run(module.exports, (name: string) => load(join(dist, name)), module);
      return module.exports;
    };
    const [index, testing] = ['index.cjs', 'testing.cjs'].map((name) => load(join(dist, name)));
    expect(await refusalFrom(index as typeof esm, testing as typeof esmTesting)).toMatchObject({ code: 'FORBIDDEN' });
  });

  /** Requires a file of the build in a global object that has little more than Jest's jsdom. */
  function requireInJsdom<Entry>(name: string, context: object): Entry {
    const module = { exports: {} as Entry };
    const run = runInContext(wrap(readFileSync(join(dist, name), 'utf8')), context);
    run(module.exports, (inner: string) => requireInJsdom(inner, context), module);
    return module.exports;
  }
  /** In Jest 29, jsdom's class has no `size`. */
  class OlderSearchParams extends URLSearchParams {
    declare readonly size: never;
  }
  Object.defineProperty(OlderSearchParams.prototype, 'size', { value: undefined });
  const jsdom = { process, console, setTimeout, clearTimeout, queueMicrotask, URL, URLSearchParams: OlderSearchParams };

  it('says what a global object without TextEncoder needs, as in Jest with jsdom and without the mock transport', async () => {
    const context = createContext({ ...jsdom, Headers, AbortController, AbortSignal });
    const { createClient } = requireInJsdom<typeof esm>('index.cjs', context);
    const { me } = createClient({
      apiKey: 'svc_sk_1',
      baseUrl: 'https://a.example',
      fetch: async () => Response.json({}),
    });
    await expect(me.retrieve()).rejects.toThrow('No TextEncoder: use jest-fixed-jsdom');
    Object.assign(context, { TextEncoder, Request, Response, ReadableStream });
    expect(await me.retrieve()).toEqual({});
  });

  it('works with require in a global object without the classes of the web platform, as in Jest with jsdom', async () => {
    // It has a copy of what jsdom has in Jest 29: an older AbortController, and URL.
    const context = createContext({ ...jsdom });
    const index = requireInJsdom<typeof esm>('index.cjs', context);
    const testing = requireInJsdom<typeof esmTesting>('testing.cjs', context);
    expect(await refusalFrom(index, testing)).toMatchObject({ code: 'FORBIDDEN', message: 'Mocked: FORBIDDEN' });
    const mock = testing
      .createMockTransport()
      .on('GET /v1/me', testing.silent())
      .on('GET /v1/events', testing.cutOff());
    const svc = index.createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch, maxRetries: 0 });
    await expect(svc.me.retrieve({ timeoutMs: 10 })).rejects.toMatchObject({ name: 'TimeoutError' });
    await expect(svc.events.list({ limit: 7 }).first()).rejects.toMatchObject({ name: 'NetworkError' });
    expect(mock.requests.at(-1)?.query).toEqual({ limit: '7' });
  });

  it('keeps the names of its errors after minification', async () => {
    expect((await refusalFrom(cjs, cjsTesting))?.constructor.name).toBe('ApiError');
  });

  it('has a source map with its sources for each file, except for the file that contains ky', () => {
    const maps = new Map(filesEndingIn(/\.map$/).map(({ name, text }) => [name, JSON.parse(text)]));
    const withoutMap = filesEndingIn(/\.c?js$/).filter(({ name, text }) => {
      const map = maps.get(`${name}.map`);
      return !text.endsWith(`//# sourceMappingURL=${name}.map`) || !map?.sourcesContent.every(Boolean);
    });
    expect(withoutMap.map(({ name }) => name)).toEqual(['transport.cjs']);
  });

  it.each([
    ['import', '--input-type=module', "import { createClient } from '@svc/client';"],
    ['require', '--input-type=commonjs', "const { createClient } = require('@svc/client');"],
  ])('prints less than 3 KB with readable names for an error that nobody catches: %s', (_, type, load) => {
    const program = `${load}
      const fetch = async () => new Response('<title>Bad Gateway</title>', { status: 403 });
      const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
      const run = async () => await svc.me.retrieve();
      run();`;
    const { stderr, status } = spawnSync(process.execPath, [type, '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr.length).toBeLessThan(3000);
    expect(stderr).toContain('ApiError: 403: text/plain, Bad Gateway');
    for (const name of ['refusalOf', 'attempt', 'exchange']) expect(stderr).toMatch(new RegExp(`at (async )?${name} `));
  });

  it('needs no Node built-in, and the main entry needs only ky', () => {
    const imports = filesEndingIn(/\.c?js$/).flatMap(({ name, text }) =>
      [...text.matchAll(/(?:from ?|import\(? ?|require\()["']([^."'][^"']*)["']/g)].map(
        ([, from]) => `${name.replace(/-\w+\./, '.')}: ${from}`,
      ),
    );
    // The transport for Node and for CommonJS contains ky.
    expect(imports.toSorted()).toEqual([
      'index.js: #transport',
      'schemas.cjs: zod/v4',
      'schemas.js: zod/v4',
      'transport.js: ky',
    ]);
  });

  it.each([
    ['loads it with the first call', "await import('@svc/client')", 'false true'],
    ['loads it with the first call, by require', "require('@svc/client')", 'false true'],
  ])("loads Node's fetch only when it needs it: %s", (_, load, loaded) => {
    const program = `
      const require = process.getBuiltinModule('node:module').createRequire('${import.meta.url}');
      const { createClient } = ${load};
      const loaded = () => process.moduleLoadList.some((name) => name.includes('deps/undici'));
      const fetch = async () => ({ status: 200, headers: new Map(), text: async () => '{}' });
      const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
      const before = loaded();
      await svc.me.retrieve();
      console.log(before, loaded());`;
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    });
    expect(printed).toBe(`${loaded}\n`);
  });

  it('keeps no process alive: closed, finished and unused clients leave no timer', () => {
    const program = `
      const { createClient } = require('@svc/client');
      const { createMockTransport, silent, rateLimited } = require('@svc/client/testing');
      const mock = createMockTransport().on('GET /v1/me', silent()).on('GET /v1/events', rateLimited(100));
      const make = () => createClient({ apiKey: 'svc_sk_1', baseUrl: mock.baseUrl, fetch: mock.fetch });
      make().events.list();
      const [attempting, waiting] = [make(), make()];
      const ends = [attempting.me.retrieve(), waiting.events.list()].map((call) => call.catch((error) => error.name));
      setTimeout(() => { attempting.close(); waiting.close(); }, 50);
      Promise.all(ends).then((names) => console.log(names.join()));`;
    // A leftover timer keeps the process alive past this time-out. The process is then killed, which throws.
    const options = { cwd: import.meta.dirname, encoding: 'utf8', timeout: PATIENCE_MS } as const;
    expect(execFileSync(process.execPath, ['-e', program], options)).toBe('AbortedError,AbortedError\n');
  });
});
