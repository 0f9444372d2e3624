import { describe, expect, it } from 'vitest';
import { createClient } from '../src/index.ts';
import { API_KEY, apiKeyClient, userClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page, refusal, text } from './support/steps.ts';

const good = json({ workspace: { id: 'wsp_1' } });

describe('a server that misbehaves', () => {
  it.each([
    ['0', 2],
    ['0.01', 2],
    [new Date(0).toUTCString(), 2],
    ['9999999999', 1],
    // Neither seconds nor a date, so the wait is one minute, which is too long.
    ['-1', 1],
    ['tomorrow', 1],
    ['1e99', 1],
    [`1${'0'.repeat(400)}`, 1],
    [new Date(Date.now() + 86_400_000).toUTCString(), 1],
  ])('asks to wait %j: the number of attempts is %i', async (retryAfter, attempts) => {
    await using server = await startScriptedServer(refusal(429, 'RATE_LIMITED', { 'retry-after': retryAfter }), good);
    await apiKeyClient(server, { deadlineMs: 30_000 })
      .workspaces.retrieve('wsp_1')
      .catch(() => {});
    expect(server.requests).toHaveLength(attempts);
  });

  it.each([301, 302, 303, 307, 308])('redirects with %i to another origin: nothing is sent there', async (status) => {
    await using other = await startScriptedServer(good);
    await using server = await startScriptedServer(text('', status, { location: `${other.url}/v1/workspaces/wsp_1` }));
    const call = userClient(server).workspace('wsp_1').webhooks.endpoints.update('whe_1', { active: true });
    await expect(call).rejects.toMatchObject({ name: 'ApiError', status, code: `HTTP_${status}`, attempts: 1 });
    expect(other.requests).toEqual([]);
  });

  it('sends endless pages: the reader decides when to stop', async () => {
    let number = 0;
    await using server = await startScriptedServer((...args) =>
      page([{ id: `evt_${number}` }], `/v1/events?page=${++number}`)(...args),
    );
    const { events } = apiKeyClient(server);
    expect(await events.list().collect({ limit: 300 })).toHaveLength(300);
    const pages = [];
    for await (const one of events.list().pages({ maxPages: 20 })) pages.push(one);
    expect(pages).toHaveLength(20);
  });

  it('sends a loop of more pages than the client remembers: the client still finds it', async () => {
    let number = 0;
    const fetch = async (url: string) =>
      Response.json({
        data: [],
        nextPageUrl: `${new URL(url).origin}/v1/events?page=${++number % 1500}`,
        previousPageUrl: null,
      });
    const svc = createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch });
    await expect(svc.events.list().first()).rejects.toMatchObject({
      name: 'ResponseError',
      message: expect.stringMatching(/loop/),
    });
    expect(number).toBeLessThan(6000);
  });

  it('sends a loop of many pages, after many pages: the client still finds it', async () => {
    let number = 0;
    const fetch = async (url: string) => {
      const next = ++number < 1500 ? number : 1500 + (number % 6500);
      return Response.json({
        data: [],
        nextPageUrl: `${new URL(url).origin}/v1/events?page=${next}`,
        previousPageUrl: null,
      });
    };
    const svc = createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch });
    await expect(svc.events.list().first()).rejects.toMatchObject({ message: 'The list loops' });
    expect(number).toBeLessThan(1500 + 6500 + 1000);
  });

  it.each([
    ['itself', 1201],
    ['a page before', 2049],
  ])('sends a page that leads to %s, after a thousand pages: the client still finds the loop', async (_, found) => {
    let number = 0;
    // Page 1200 leads to itself, or back to page 1199.
    const loop = found === 1201 ? [1200] : [1199, 1200];
    const fetch = async (url: string) => {
      const next = ++number < 1200 ? number : loop[number % loop.length];
      return Response.json({
        data: [],
        nextPageUrl: `${new URL(url).origin}/v1/events?page=${next}`,
        previousPageUrl: null,
      });
    };
    const svc = createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch });
    await expect(svc.events.list().first()).rejects.toMatchObject({
      name: 'ResponseError',
      message: expect.stringMatching(/loop/),
    });
    expect(number).toBeLessThanOrEqual(found);
  });

  it('sends JSON under another content type: the client still reads it', async () => {
    await using server = await startScriptedServer(
      text('{"workspace":{"id":"wsp_1"}}', 200, { 'content-type': 'text/html' }),
    );
    expect(await apiKeyClient(server).workspaces.retrieve('wsp_1')).toEqual({ id: 'wsp_1' });
  });

  it.each([
    ['an error that is a string', json({ error: 'no' }, 400), 'HTTP_400'],
    ['an error that is null', json({ error: null }, 400), 'HTTP_400'],
    ['an error of another shape', json({ error: { code: 7, message: ['x'] } }, 400), 'HTTP_400'],
    ['a code that is null', json({ error: { code: null, message: null } }, 400), 'HTTP_400'],
    ['a code that is empty', json({ error: { code: '', message: '' } }, 400), 'HTTP_400'],
    ['only a code', json({ error: { code: 'NEW' } }, 400), 'NEW'],
    ['null instead of an object', json(null, 400), 'HTTP_400'],
    ['HTML', text('<h1>', 400), 'HTTP_400'],
  ])('refuses with %s: the client throws an ApiError', async (_, step, code) => {
    await using server = await startScriptedServer(step);
    await expect(apiKeyClient(server).me.retrieve()).rejects.toMatchObject({ name: 'ApiError', status: 400, code });
  });

  it.each([
    ['a code that cannot be a string', '{"error":{"code":{"toString":null},"message":"m"}}', 'm'],
    ['a message that cannot be a string', '{"error":{"code":"HTTP_503","message":{"toString":1}}}', /^503: /],
    [
      'a code that is nested deeper than the stack',
      `{"error":{"code":${'['.repeat(20_000)}${']'.repeat(20_000)},"message":"m"}}`,
      'm',
    ],
  ])('is unavailable with %s: the client retries and throws an ApiError', async (_, body, message) => {
    await using server = await startScriptedServer(text(body, 503, { 'retry-after': '0' }));
    await expect(apiKeyClient(server).me.retrieve()).rejects.toMatchObject({
      name: 'ApiError',
      code: 'HTTP_503',
      message: expect.stringMatching(message),
      attempts: 3,
    });
  });

  it.each([
    ['5, 5', 5000],
    ['1, 3, 2', 3000],
  ])('sends Retry-After more than once: the client uses the longest of %j', async (retryAfter, retryAfterMs) => {
    const fields = retryAfter.split(', ');
    await using server = await startScriptedServer((response) => {
      response.setHeader('retry-after', fields).writeHead(429).end('{}');
    });
    await expect(apiKeyClient(server, { maxRetries: 0 }).me.retrieve()).rejects.toMatchObject({ retryAfterMs });
  });

  it('cannot change prototypes', async () => {
    await using server = await startScriptedServer(
      text('{"workspace":{"__proto__":{"polluted":true},"constructor":{}}}'),
    );
    await apiKeyClient(server).workspaces.retrieve('wsp_1');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
