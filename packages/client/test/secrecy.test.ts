import { describe, expect, it } from 'vitest';
import * as client from '../src/index.ts';
import {
  createMockTransport,
  cutOff,
  fixtures,
  pages,
  rateLimited,
  refused,
  silent,
  unreachable,
} from '../src/testing.ts';
import { ACCESS_TOKEN, API_KEY } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { textsOf } from './support/showing.ts';
import { cutOff as cutOffStep, hangUp, json, page, silence, text } from './support/steps.ts';

const secrets = [API_KEY, ACCESS_TOKEN];

/** Asserts that no string in `value` contains a credential, and that the search found strings at all. */
function expectNoSecretIn(value: unknown): void {
  const texts = textsOf(value);
  expect(texts.length).toBeGreaterThan(0);
  for (const secret of secrets) expect(texts).not.toContain(secret);
}

const thrownBy = (call: () => unknown): Promise<unknown> =>
  (async () => call())().then(
    () => expect.unreachable('it should have thrown'),
    (error: unknown) => error,
  );

describe('the credential', () => {
  it('is found by the search if it is there', () => {
    expect(textsOf({ deep: [new Request('https://a.example', { headers: { a: API_KEY } })] })).toContain(API_KEY);
    expect(textsOf(new Error('x', { cause: { hidden: API_KEY } }))).toContain(API_KEY);
  });

  it('does not appear in anything that the package exports or creates', () => {
    const options = { baseUrl: 'https://a.example', logger: console };
    const svc = client.createClient({ apiKey: API_KEY, ...options });
    const user = client.createClient({ accessToken: () => ACCESS_TOKEN, ...options });
    for (const value of [client, svc, user, user.workspace('wsp_1'), svc.events.list(), svc.me.retrieve()]) {
      expectNoSecretIn(value);
    }
  });

  it('does not appear in responses, pages, responses, log lines or anything that a middleware gets', async () => {
    await using server = await startScriptedServer(
      page([fixtures.event()], '/v1/events?page=b'),
      json({ credential: {} }),
    );
    const seen: unknown[] = [];
    const logger = {
      debug: (...line: unknown[]) => seen.push(line),
      info: (...line: unknown[]) => seen.push(line),
      warn: (...line: unknown[]) => seen.push(line),
    };
    const middleware: client.Middleware = async (request, next, context) => {
      const response = await next(request);
      seen.push(request, next, context, response);
      return response;
    };
    const svc = client.createClient({
      apiKey: async () => API_KEY,
      baseUrl: server.url,
      logger,
      middleware: [middleware],
    });
    seen.push(await svc.events.list(), await svc.me.retrieve().withResponse(), await svc.me.retrieve().asResponse());
    expect(server.requests[0]?.headers.authorization).toContain(API_KEY);
    expect(seen.length).toBeGreaterThan(10);
    for (const value of seen) expectNoSecretIn(value);
  });

  it.each([
    ['a refusal that echoes it', json({ error: { code: `${API_KEY}`, message: `Invalid token ${API_KEY}` } }, 401)],
    [
      'a refusal that echoes it in escapes',
      text(
        `{"error":{"code":"UNAUTHENTICATED","message":"${[...API_KEY].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"}}`,
        401,
      ),
    ],
    ['a request id that echoes it', text('{}', 500, { 'service-request-id': `Bearer ${API_KEY}` })],
    ['a page of a gateway that echoes it', text(`<pre>Bearer ${API_KEY}</pre>`, 502)],
    ['a response that is not JSON and echoes it', text(`<pre>Bearer ${API_KEY}</pre>`)],
    ['a redirect', text('', 302, { location: 'https://evil.example' })],
    ['a connection that is closed', hangUp],
    ['a body that is cut off', cutOffStep],
    ['a time-out', silence],
  ])('does not appear in the error after %s', async (_, step) => {
    await using server = await startScriptedServer(step);
    const svc = client.createClient({ apiKey: API_KEY, baseUrl: server.url, maxRetries: 0, timeoutMs: 100 });
    const error = await thrownBy(() => svc.workspaces.retrieve('wsp_1'));
    expect(error).toBeInstanceOf(client.ServiceError);
    expectNoSecretIn(error);
  });

  it.each([cutOff(), unreachable(), rateLimited(60), silent(), refused('FORBIDDEN')])(
    'does not appear in the error of a mocked fault',
    async (outcome) => {
      const mock = createMockTransport().on('GET /v1/me', outcome).on('GET /v1/events', pages([]));
      const svc = client.createClient({
        apiKey: API_KEY,
        baseUrl: mock.baseUrl,
        fetch: mock.fetch,
        timeoutMs: 20,
        deadlineMs: 50,
      });
      expectNoSecretIn(await thrownBy(() => svc.me.retrieve()));
      expectNoSecretIn([mock, mock.requests]);
    },
  );

  it('does not appear in the error of a fetch that throws its arguments', async () => {
    const leaking: client.Fetch = async (url, init) => {
      throw Object.assign(new TypeError(`fetch ${url} failed with ${JSON.stringify(init.headers)}`), {
        config: init,
        cause: Object.assign(new Error(`sent ${init.headers['authorization']}`), { request: init }),
      });
    };
    const svc = client.createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch: leaking, maxRetries: 0 });
    const error = await thrownBy(() => svc.me.retrieve());
    expect(error).toMatchObject({ name: 'NetworkError', message: expect.stringMatching(/\[credential\]/) });
    expectNoSecretIn(error);
  });

  it.each<[string, (init: client.FetchInit) => Awaited<ReturnType<client.Fetch>>]>([
    [
      'a fetch that throws before it returns a promise',
      (config) => {
        throw Object.assign(new Error('socket closed'), { config });
      },
    ],
    [
      'a body whose reader throws before it returns a promise',
      (config) => ({
        status: 200,
        headers: new Headers(),
        text: () => {
          throw Object.assign(new Error(`sent ${config.headers['authorization']}`), { config });
        },
      }),
    ],
  ])('does not appear in the error of %s, which is retried like any other', async (_, answer) => {
    let requests = 0;
    const fetch = ((_url: string, init: client.FetchInit) => {
      requests++;
      return answer(init);
    }) as unknown as client.Fetch;
    const svc = client.createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch, maxRetries: 1 });
    const error = await thrownBy(() => svc.me.retrieve());
    expect(error).toMatchObject({ name: 'NetworkError', attempts: 2 });
    expect(requests).toBe(2);
    expectNoSecretIn(error);
  });

  it('does not appear when the credential or the options are refused', async () => {
    const baseUrl = 'https://a.example';
    expectNoSecretIn(await thrownBy(() => client.createClient({ apiKey: `${API_KEY}\n`, baseUrl }).me.retrieve()));
    const unsendable = client.createClient({ apiKey: () => `${API_KEY}\n`, baseUrl });
    expectNoSecretIn(await thrownBy(() => unsendable.me.retrieve()));
    expectNoSecretIn(await thrownBy(() => client.createClient({ accessToken: API_KEY, baseUrl }).me.retrieve()));
    expectNoSecretIn(
      await thrownBy(() =>
        client.createClient({ apiKey: API_KEY, baseUrl: `https://u:${API_KEY}@a.example` }).me.retrieve(),
      ),
    );
    expectNoSecretIn(await thrownBy(() => client.createClient({ apiKey: API_KEY, baseUrl, maxRetries: -1 })));
  });
});
