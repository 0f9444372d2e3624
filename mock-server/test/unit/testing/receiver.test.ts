import { describe, expect, test } from 'vitest';
import { WaitError } from '../../../src/testing/index.ts';
import { startReceiver } from '../../../src/testing/receiver.ts';

const post = (url: string, body = '{}') => fetch(url, { method: 'POST', body, headers: { 'X-Test': 'yes' } });

describe('A receiver', () => {
  test('keeps each request, and responds with 204', async () => {
    await using receiver = await startReceiver({ path: '/hooks' });
    const answer = await post(`${receiver.url}?a=1`, '{"text":"ä"}');
    expect(answer.status).toBe(204);
    expect(new URL(receiver.url).pathname).toBe('/hooks');
    expect(receiver.requests).toHaveLength(1);
    const [request] = receiver.requests;
    expect(request).toMatchObject({ method: 'POST', url: `${receiver.url}?a=1`, body: '{"text":"ä"}' });
    expect(request?.headers).toMatchObject({ 'x-test': 'yes' });
    expect(request?.json()).toEqual({ text: 'ä' });
  });

  test('uses scripted answers in turn, and then the last one', async () => {
    await using receiver = await startReceiver();
    receiver.respond({ status: 500 }, { body: { ok: true }, headers: { 'x-answer': '2' } });
    const answers = [await post(receiver.url), await post(receiver.url), await post(receiver.url)];
    expect(answers.map(({ status }) => status)).toEqual([500, 200, 200]);
    expect(await answers[1]?.json()).toEqual({ ok: true });
    expect(answers[1]?.headers.get('x-answer')).toBe('2');
    expect(answers[1]?.headers.get('content-type')).toBe('application/json');
  });

  test('calls a function for the response, and reports if the function fails', async () => {
    await using receiver = await startReceiver();
    receiver.respond((request) => new Response(request.body.toUpperCase(), { status: 202 }));
    const answer = await post(receiver.url, 'abc');
    expect([answer.status, await answer.text()]).toEqual([202, 'ABC']);
    receiver.respond(() => {
      throw new Error('out of paper');
    });
    const failed = await post(receiver.url);
    expect([failed.status, await failed.text()]).toEqual([500, "The receiver's response failed: out of paper"]);
  });

  test('sends a plain object that a function returns, and reports a value that is no response', async () => {
    await using receiver = await startReceiver();
    receiver.respond(({ body }) => ({
      status: body === 'abc' ? 503 : 200,
      headers: { 'x-answer': '1' },
      body: 'busy',
    }));
    const answer = await post(receiver.url, 'abc');
    expect([answer.status, answer.headers.get('x-answer'), await answer.text()]).toEqual([503, '1', 'busy']);
    expect((await post(receiver.url)).status).toBe(200);
    receiver.respond(async () => ({}));
    expect((await post(receiver.url)).status).toBe(204);
    // @ts-expect-error A misspelled field.
    receiver.respond(() => ({ stauts: 503 }));
    expect(await (await post(receiver.url)).text()).toContain('There is no option "stauts"');
    // @ts-expect-error A function that returns nothing.
    receiver.respond(() => undefined);
    const failed = await post(receiver.url);
    expect([failed.status, await failed.text()]).toEqual([
      500,
      "The receiver's response failed: A response must be a Response, or an object such as { status: 503 }.",
    ]);
  });

  test('sends a response that a function returns again and again, and reports one that was read before', async () => {
    await using receiver = await startReceiver();
    const same = new Response('taken', { status: 202 });
    receiver.respond(() => same);
    for (let count = 0; count < 2; count++) {
      const answer = await post(receiver.url);
      expect([answer.status, await answer.text()]).toEqual([202, 'taken']);
    }
    await same.text();
    const failed = await post(receiver.url);
    expect([failed.status, await failed.text()]).toEqual([
      500,
      expect.stringMatching(/^The receiver's response failed/),
    ]);
  });

  test('passes each request to a handler, byte for byte, and answers what it returns', async () => {
    await using receiver = await startReceiver();
    const bytes = Uint8Array.of(0xff, 0, 0xc3);
    const requests: Request[] = [];
    receiver.respond({ status: 500 });
    receiver.forward(async (request) => {
      requests.push(request.clone());
      return new Response(await request.bytes(), { status: 202, headers: { 'x-handler': 'mine' } });
    });
    const answer = await fetch(`${receiver.url}?a=1`, { method: 'POST', body: bytes, headers: { 'X-Test': 'yes' } });
    expect([answer.status, answer.headers.get('x-handler')]).toEqual([202, 'mine']);
    expect(await answer.bytes()).toEqual(bytes);
    expect(requests[0]).toMatchObject({ method: 'POST', url: `${receiver.url}?a=1` });
    expect(requests[0]?.headers.get('x-test')).toBe('yes');
    expect(receiver.requests).toHaveLength(1);
    receiver.forward(({ method }) => new Response(null, { headers: { 'x-method': method } }));
    expect((await fetch(receiver.url)).headers.get('x-method')).toBe('GET');
  });

  test('reports if the handler fails, and drops it on respond() and clear()', async () => {
    await using receiver = await startReceiver();
    const fail = () => {
      throw new Error('out of paper');
    };
    receiver.forward(fail);
    const failed = await post(receiver.url);
    expect([failed.status, await failed.text()]).toEqual([500, "The receiver's response failed: out of paper"]);
    receiver.respond({ status: 201 });
    expect((await post(receiver.url)).status).toBe(201);
    receiver.forward(fail);
    receiver.clear();
    expect((await post(receiver.url)).status).toBe(204);
    // @ts-expect-error Pass the handler itself, not an object that has one.
    expect(() => receiver.forward({ fetch: fail })).toThrow('such as webhooks.fetch');
  });

  test('returns each request once from next(), both earlier and later ones', async () => {
    await using receiver = await startReceiver();
    await post(receiver.url, '1');
    await post(receiver.url, '2');
    expect((await receiver.next()).body).toBe('1');
    expect((await receiver.next()).body).toBe('2');
    const coming = receiver.next();
    await post(receiver.url, '3');
    expect((await coming).body).toBe('3');
  });

  test('reports how many requests it has if none arrives in time', async () => {
    await using receiver = await startReceiver();
    await expect(receiver.next({ timeoutMs: 1 })).rejects.toThrow(
      'The receiver got no new request within 1 ms. The receiver has received 0 requests in all.',
    );
    await expect(receiver.next({ timeoutMs: 1 })).rejects.toBeInstanceOf(WaitError);
  });

  test('forgets requests and scripted answers on clear()', async () => {
    await using receiver = await startReceiver();
    receiver.respond({ status: 500 });
    await post(receiver.url);
    receiver.clear();
    expect(receiver.requests).toEqual([]);
    expect((await post(receiver.url)).status).toBe(204);
    expect(await receiver.next()).toBe(receiver.requests[0]);
  });
});
