import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { createClient, type Event, type List } from '../src/index.ts';
import { API_KEY, apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json, page } from './support/steps.ts';

const events = (...numbers: number[]) => numbers.map((number) => ({ id: `evt_${number}`, type: 'webhook.ping' }));
const threePages = [
  page(events(1, 2), '/v1/events?limit=2&page=b'),
  page(events(3, 4), '/v1/events?limit=2&page=c', '/v1/events?limit=2&page=a'),
  page(events(5), null, '/v1/events?limit=2&page=b'),
];

describe('a list (service document, "List envelope")', () => {
  it('sends nothing until it is awaited or iterated', async () => {
    await using server = await startScriptedServer(...threePages);
    const list = apiKeyClient(server).events.list();
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(server.requests).toEqual([]);
    await list;
    await list;
    expect(server.requests).toHaveLength(1);
  });

  it('keeps its parameters if the caller changes the object before using the list', async () => {
    await using server = await startScriptedServer(page([]));
    const params = { type: 'webhook.ping' };
    const list = apiKeyClient(server).events.list(params);
    params.type = 'lifecycle.evaluated';
    await list;
    expect(server.requests[0]?.url).toBe('/v1/events?type=webhook.ping');
  });

  it('is refused, and not sent without its filters, if untyped code passes a URLSearchParams', async () => {
    await using server = await startScriptedServer(page([]));
    const list = apiKeyClient(server).events.list(new URLSearchParams({ type: 'webhook.ping' }) as never);
    await expect(list).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^Unknown parameter /),
    });
    expect(server.requests).toEqual([]);
  });

  it('returns its first page when awaited', async () => {
    await using server = await startScriptedServer(...threePages);
    const first = await apiKeyClient(server).events.list({ limit: 2, type: 'webhook.ping' });
    expect(server.requests[0]?.url).toBe('/v1/events?limit=2&type=webhook.ping');
    expect(first.data).toEqual(events(1, 2));
    expect(first.previousPageUrl).toBeNull();
    const second = await first.next();
    expect(second?.data).toEqual(events(3, 4));
    const third = await second?.next();
    expect(third?.data).toEqual(events(5));
    expect(await third?.next()).toBeNull();
    expect(await first.previous()).toBeNull();
  });

  it('yields every item when iterated', async () => {
    await using server = await startScriptedServer(...threePages);
    const seen = [];
    for await (const event of apiKeyClient(server).events.list({ limit: 2 })) seen.push(event);
    expect(seen).toEqual(events(1, 2, 3, 4, 5));
    expect(server.requests.map((request) => request.url)).toEqual([
      '/v1/events?limit=2',
      '/v1/events?limit=2&page=b',
      '/v1/events?limit=2&page=c',
    ]);
  });

  it('requests no more pages than it needs', async () => {
    await using server = await startScriptedServer(...threePages);
    for await (const event of apiKeyClient(server).events.list()) if (event.id === 'evt_2') break;
    expect(server.requests).toHaveLength(1);
  });

  it.each<[string, string, (list: List<Event>) => unknown]>([
    ['20, the service’s default, when awaited', '/v1/events', async (list) => await list],
    ['100 when iterated', '/v1/events?limit=100', (list) => list[Symbol.asyncIterator]().next()],
    ['100 when iterated page by page', '/v1/events?limit=100', (list) => list.pages().next()],
    ['100 when many are collected', '/v1/events?limit=100', (list) => list.collect({ limit: 250 })],
    ['at most the number to collect', '/v1/events?limit=7', (list) => list.collect({ limit: 7 })],
    ['1 for the first item', '/v1/events?limit=1', (list) => list.first()],
  ])('requests pages of %s', async (_, url, use) => {
    await using server = await startScriptedServer(page(events(1, 2)));
    await use(apiKeyClient(server).events.list());
    expect(server.requests.map((request) => request.url)).toEqual([url]);
  });

  it('requests 3 pages to collect 250 items', async () => {
    const hundred = events(...Array(100).keys());
    await using server = await startScriptedServer((response, request, origin) => {
      const number = Number(new URL(request.url, origin).searchParams.get('page') ?? 0);
      page(hundred, `/v1/events?limit=100&page=${number + 1}`)(response, request, origin);
    });
    const { events: operations } = apiKeyClient(server);
    expect(await operations.list().collect({ limit: 250 })).toHaveLength(250);
    expect(server.requests).toHaveLength(3);
  });

  it("requests pages of the caller's size in every use", async () => {
    await using server = await startScriptedServer(page(events(1, 2)));
    const list = () => apiKeyClient(server).events.list({ type: 'webhook.ping', limit: 30 });
    await list();
    for await (const _ of list()) break;
    await list().collect({ limit: 250 });
    await list().first();
    expect(server.requests.map((request) => request.url)).toEqual(
      Array(4).fill('/v1/events?type=webhook.ping&limit=30'),
    );
  });

  it('continues after an empty page', async () => {
    await using server = await startScriptedServer(
      page(events(1), '/v1/events?page=b'),
      page([], '/v1/events?page=c'),
      page(events(2)),
    );
    expect(await apiKeyClient(server).events.list().collect({ limit: 10 })).toEqual(events(1, 2));
  });

  it('follows a page URL unchanged', async () => {
    const url = '/v1/events?page=%7e~%20+%2B&type=a,b&limit=2&type=a';
    await using server = await startScriptedServer(page([], url), page([]));
    await (await apiKeyClient(server).events.list()).next();
    expect(server.requests[1]?.url).toBe(url);
  });

  it('collects at most as many items as its limit says, and requires a limit', async () => {
    await using server = await startScriptedServer(...threePages);
    const list = apiKeyClient(server).events.list();
    expect(await list.collect({ limit: 3 })).toEqual(events(1, 2, 3));
    expect(server.requests).toHaveLength(2);
    for (const limit of [0, 1.5, Number.POSITIVE_INFINITY, undefined]) {
      await expect(list.collect({ limit: limit as number })).rejects.toMatchObject({ name: 'UsageError' });
    }
  });

  it('returns the first item, or undefined', async () => {
    await using server = await startScriptedServer(...threePages);
    expect(await apiKeyClient(server).events.list().first()).toEqual(events(1)[0]);
    await using empty = await startScriptedServer(page([]));
    expect(await apiKeyClient(empty).events.list().first()).toBeUndefined();
  });

  it('goes through pages in either direction, up to a maximum', async () => {
    await using server = await startScriptedServer(...threePages);
    const numbers = [];
    for await (const { data } of apiKeyClient(server).events.list().pages({ maxPages: 2 })) numbers.push(data.length);
    expect(numbers).toEqual([2, 2]);
    expect(server.requests).toHaveLength(2);

    await using backwards = await startScriptedServer(
      page(events(5), null, '/v1/events?page=b'),
      page(events(3), '/x'),
    );
    const url = `${backwards.url}/v1/events?page=c`;
    const seen = [];
    for await (const { data } of apiKeyClient(backwards).events.list.resume(url).pages({ direction: 'previous' })) {
      seen.push(...data);
    }
    expect(seen).toEqual(events(5, 3));
  });

  it('does not keep earlier pages in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    let number = 0;
    const fetch = async () =>
      Response.json({ data: [], nextPageUrl: `https://a.example/v1/events?page=${++number}`, previousPageUrl: null });
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
    const metas: WeakRef<object>[] = [];
    const kept: object[] = [];
    for await (const page of svc.events.list().pages({ maxPages: 20 })) {
      metas.push(new WeakRef(page.meta));
      if (metas.length === 5) kept.push(page);
      await new Promise(setImmediate);
      if (metas.length < 20) continue;
      collectGarbage();
      // The list keeps its first page, the reader the fifth, the loop the last two.
      expect(metas.map((meta) => meta.deref() !== undefined).slice(1, 17)).toEqual(
        Array.from({ length: 16 }, (_, index) => index === 3),
      );
    }
    expect(kept).toHaveLength(1);
  });

  it('does not keep earlier pages in memory even if `fetch` never waits', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const data = [{ id: 'evt_1', type: 'webhook.ping', filler: 'x'.repeat(100_000) }];
    let number = 0;
    const fetch = async () =>
      Response.json({ data, nextPageUrl: `https://a.example/v1/events?page=${++number}`, previousPageUrl: null });
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl: 'https://a.example', fetch });
    const heaps: number[] = [];
    // No task ends during this loop, so the runtime does not yet release the signals of earlier requests.
    for await (const _ of svc.events.list().pages({ maxPages: 320 })) {
      if (number % 300 !== 20) continue;
      collectGarbage();
      heaps.push(process.memoryUsage().heapUsed);
    }
    const [first = 0, last = 0] = heaps;
    expect(heaps).toHaveLength(2);
    expect((last - first) / 1e6).toBeLessThan(10);
  });

  it('requests the next page early with prefetch', async () => {
    await using server = await startScriptedServer(...threePages);
    const pages = apiKeyClient(server).events.list().pages({ prefetch: true });
    await pages.next();
    await expect.poll(() => server.requests.length).toBe(2);
    await pages.return();
  });

  it.each([
    ['itself', ['/v1/events?page=b', '/v1/events?page=b']],
    ['a page before', ['/v1/events?page=b', '/v1/events?page=c', '/v1/events?page=b']],
  ])('ends with an error when a page leads to %s', async (_, urls) => {
    await using server = await startScriptedServer(...urls.map((url) => page(events(1), url)));
    const list = apiKeyClient(server).events.list();
    await expect(list.collect({ limit: 1000 })).rejects.toMatchObject({ name: 'ResponseError' });
    expect(server.requests).toHaveLength(urls.length);
  });

  it('rejects a response whose page URL has another origin, before anything is sent there', async () => {
    await using other = await startScriptedServer(page([]));
    await using server = await startScriptedServer(page(events(1), `${other.url}/v1/events?page=b`));
    const list = apiKeyClient(server).events.list();
    await expect(list.collect({ limit: 10 })).rejects.toMatchObject({
      ...{ code: 'RESPONSE', status: 200, requestId: 'req_test', attempts: 1, operation: 'GET /v1/events' },
      message: expect.stringContaining(`The URL is not on ${server.url}`),
      ...{ url: `${server.url}/v1/events`, body: expect.stringContaining(`${other.url}/v1/events?page=b`) },
    });
    expect(other.requests).toEqual([]);
  });

  it.each(['//evil.example/v1/events?page=b', '/\\evil.example/v1/events?page=b', '/\t/evil.example/v1/events?page=b'])(
    'rejects the page URL %j, which names another host, before anything is sent',
    async (url) => {
      const fetched: string[] = [];
      const fetch = async (requested: string) => {
        fetched.push(requested);
        return Response.json({ data: events(1), nextPageUrl: url, previousPageUrl: null });
      };
      const svc = createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch });
      await expect(svc.events.list({ limit: 1 }).collect({ limit: 10 })).rejects.toMatchObject({
        code: 'RESPONSE',
        message: 'The URL is not on https://a.example, or has user info: https://evil.example',
      });
      expect(fetched).toEqual(['https://a.example/v1/events?limit=1']);
    },
  );

  it('follows a page URL that is a path, under the base URL', async () => {
    await using server = await startScriptedServer(
      json({ data: events(1), nextPageUrl: '/v1/events?page=b' }),
      page([]),
    );
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway` });
    const first = await svc.events.list();
    await first.next();
    await svc.events.list.resume(`${first.nextPageUrl}`);
    const paths = ['/gateway/v1/events', '/gateway/v1/events?page=b', '/gateway/v1/events?page=b'];
    expect(server.requests.map((request) => request.url)).toEqual(paths);
  });

  it.each([
    [{ direction: 'prev' }, 'Unknown direction prev: did you mean previous, next?'],
    [{ maxPages: Number.NaN }, 'maxPages must be a number, 0 or more'],
    [{ maxPages: 'two' }, 'maxPages must be a number, 0 or more'],
    [{ maxPages: null }, 'maxPages must be a number, 0 or more'],
    [{ maxPages: '' }, 'maxPages must be a number, 0 or more'],
    [{ maxPages: -1 }, 'maxPages must be a number, 0 or more'],
  ])('refuses %j, which would end the list early, before anything is sent', async (options, message) => {
    await using server = await startScriptedServer(page(events(1)));
    const pages = apiKeyClient(server)
      .events.list()
      .pages(options as never);
    await expect(pages.next()).rejects.toMatchObject({ name: 'UsageError', message });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [{ maxPages: 0, prefetch: true }, 0],
    [{ maxPages: 1, prefetch: true, direction: 'next' as const }, 1],
    [{ maxPages: Number.POSITIVE_INFINITY }, 2],
  ])('requests no more pages than %j allows', async (options, requests) => {
    await using server = await startScriptedServer(page(events(1), '/v1/events?page=b'), page(events(2)));
    let pages = 0;
    for await (const _ of apiKeyClient(server).events.list().pages(options)) pages++;
    expect([pages, server.requests.length]).toEqual([requests, requests]);
  });

  it('follows a page URL that already begins with the path of the base URL, and finds its loops', async () => {
    const url = '/gateway/v1/events?page=b';
    await using server = await startScriptedServer(page(events(1), url), page(events(2), url));
    const svc = createClient({ apiKey: API_KEY, baseUrl: `${server.url}/gateway/` });
    await expect(svc.events.list({ limit: 1 }).collect({ limit: 9 })).rejects.toThrow('The list loops');
    await svc.events.list.resume(url);
    expect(server.requests.map((request) => request.url)).toEqual(['/gateway/v1/events?limit=1', url, url]);
  });

  it.each(['no URL', 'https://user:hush@a.example/v1/events', 'v1/events?page=b'])(
    'rejects the page URL %j when it is followed, but returns the page itself',
    async (url) => {
      const fetch = async () => Response.json({ data: events(1), nextPageUrl: url, previousPageUrl: url });
      const first = await createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch }).events.list();
      expect(first.data).toEqual(events(1));
      for (const neighbour of [first.next(), first.previous()]) {
        const error = await neighbour.catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ code: 'RESPONSE', status: 200 });
        expect(`${error}`).not.toContain('hush');
      }
    },
  );

  it('continues from a stored page URL', async () => {
    await using server = await startScriptedServer(page(events(3)));
    const { events: operations } = apiKeyClient(server);
    const url = `${server.url}/v1/events?limit=2&page=b`;
    // Untyped code may pass a `URL`.
    for (const kept of [url, new URL(url) as never]) {
      expect(await operations.list.resume(kept).collect({ limit: 5 })).toEqual(events(3));
      expect(server.requests.pop()?.url).toBe('/v1/events?limit=2&page=b');
    }
    for (const wrong of [
      'https://evil.example/v1/events',
      `${server.url}/v1/workspaces`,
      '//evil.example/v1/events',
      null as never,
      '',
    ]) {
      // Lists are lazy, so this one fails only when it is used.
      const list = operations.list.resume(wrong);
      await expect(list).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(/^(The URL is not on|Not a page URL of) /),
      });
      await expect(list.collect({ limit: 1 })).rejects.toMatchObject({ name: 'UsageError' });
      await expect(list.pages().next()).rejects.toMatchObject({ name: 'UsageError' });
    }
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['itself', ['/v1/events?page=a'], 1],
    ['itself through another page', ['/v1/events?page=b', '/v1/events?page=a'], 2],
  ])('ends with an error if the page that it resumed from leads to %s', async (_, urls, requests) => {
    await using server = await startScriptedServer(...urls.map((url) => page(events(1), url)));
    const list = apiKeyClient(server).events.list.resume(`${server.url}/v1/events?page=a`);
    await expect(list.collect({ limit: 1000 })).rejects.toMatchObject({
      name: 'ResponseError',
      message: expect.stringMatching(/loop/),
    });
    expect(server.requests).toHaveLength(requests);
  });

  it.each(['next', 'previous'] as const)(
    'ends with an error if a caller of %s() comes to a page again',
    async (step) => {
      const urls = ['b', 'c', 'd', 'b'].map((name) => `/v1/events?page=${name}`);
      await using server = await startScriptedServer(...urls.map((url) => page(events(1), url, url)));
      let current = await apiKeyClient(server).events.list();
      for (let steps = 1; steps < urls.length; steps++) current = (await current[step]()) ?? current;
      await expect(current[step]()).rejects.toMatchObject({ name: 'ResponseError', message: 'The list loops' });
      expect(server.requests).toHaveLength(urls.length);
    },
  );

  it('lets a caller step back and forth, and request a page twice, during an iteration too', async () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => `/v1/events?page=${name}`) as [string, string, string];
    const fetch = async (url: string) => {
      const next = url.endsWith(a) ? b : url.endsWith(b) ? c : null;
      const previous = url.endsWith(c) ? b : url.endsWith(b) ? a : null;
      return Response.json({ data: [], nextPageUrl: next, previousPageUrl: previous });
    };
    const svc = createClient({ apiKey: API_KEY, baseUrl: 'https://a.example', fetch });
    let pages = 0;
    for await (const first of svc.events.list.resume(`https://a.example${a}`).pages()) {
      pages++;
      const second = await first.next();
      const third = await second?.next();
      const back = await third?.previous();
      expect((await back?.next())?.previousPageUrl).toBe(third?.previousPageUrl);
      expect((await second?.next())?.previousPageUrl).toBe(third?.previousPageUrl);
    }
    expect(pages).toBe(3);
  });

  it.each([false, true])('returns the page that leads back before the error, with prefetch: %s', async (prefetch) => {
    await using server = await startScriptedServer(page(events(1), '/v1/events?limit=5'));
    const list = apiKeyClient(server).events.list({ limit: 5 });
    expect(await list.first()).toEqual(events(1)[0]);
    expect(await list.collect({ limit: 1 })).toEqual(events(1));
    const pages = list.pages({ prefetch });
    expect((await pages.next()).value?.data).toEqual(events(1));
    await expect(pages.next()).rejects.toMatchObject({ name: 'ResponseError', message: expect.stringMatching(/loop/) });
    expect(server.requests).toHaveLength(1);
  });

  it.each([undefined, null, {}, { limit: 0 }])('collects nothing without a limit: %j', async (options) => {
    await using server = await startScriptedServer(page(events(1)));
    await expect(
      apiKeyClient(server)
        .events.list()
        .collect(options as never),
    ).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringMatching(/^limit/),
    });
    expect(server.requests).toEqual([]);
  });

  it('ends with an error if its first page comes again', async () => {
    await using server = await startScriptedServer(page([], '/v1/events?page=b'), page([], '/v1/events?limit=2'));
    const list = apiKeyClient(server).events.list({ limit: 2 });
    await expect(list.first()).rejects.toMatchObject({ name: 'ResponseError', message: expect.stringMatching(/loop/) });
    expect(server.requests).toHaveLength(2);
  });

  it.each([5, true, {}])('is a ResponseError when a page URL is %j', async (url) => {
    for (const wrong of [{ nextPageUrl: url }, { previousPageUrl: url }]) {
      await using server = await startScriptedServer(json({ data: [], ...wrong }));
      await expect(apiKeyClient(server).events.list()).rejects.toMatchObject({ name: 'ResponseError', status: 200 });
    }
  });

  it('ends if a page does not mention a next one', async () => {
    await using server = await startScriptedServer(json({ data: events(1) }));
    expect(await apiKeyClient(server).events.list().collect({ limit: 5 })).toEqual(events(1));
  });

  it('refuses a page URL with user info, and does not show it', async () => {
    await using server = await startScriptedServer((response, request, origin) =>
      page([], origin.replace('//', '//user:hush@'))(response, request, origin),
    );
    const error = await apiKeyClient(server)
      .events.list()
      .first()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ResponseError' });
    expect(`${error}`).not.toContain('hush');
    expect(server.requests).toHaveLength(1);
  });

  it.each([{}, { data: null }, [], null, 'text'])('is a ResponseError when the response is %j', async (answer) => {
    await using server = await startScriptedServer(json(answer));
    await expect(apiKeyClient(server).events.list()).rejects.toMatchObject({ name: 'ResponseError', status: 200 });
  });
});
