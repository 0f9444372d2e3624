import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient } from '../src/index.ts';

const baseUrl = 'https://a.example';
const fetch = vi.fn(async () => Response.json({}));

afterEach(() => {
  vi.unstubAllGlobals();
  fetch.mockClear();
});

/** A web page has a document. Some bundlers add a `process` with nothing about Node. */
function enterPage(process?: object): void {
  vi.stubGlobal('document', {});
  vi.stubGlobal('process', process);
}

describe('a client in a web page', () => {
  it.each([undefined, {}, { env: {} }, { versions: {} }])('sends nothing (process: %j)', async (process) => {
    enterPage(process);
    const svc = createClient({ apiKey: 'svc_sk_1', baseUrl, fetch });
    await expect(svc.me.retrieve()).rejects.toMatchObject({
      name: 'UsageError',
      message: 'Visitors to the page can read apiKey: see dangerouslyAllowBrowser',
    });
    const user = createClient({ accessToken: () => 'svc_pat_1', baseUrl, fetch });
    await expect(user.me.retrieve()).rejects.toThrow(/read accessToken: see/);
    expect(fetch).not.toHaveBeenCalled();
  });

  it('sends requests if dangerouslyAllowBrowser is true', async () => {
    enterPage();
    await createClient({ apiKey: 'svc_sk_1', baseUrl, fetch, dangerouslyAllowBrowser: true }).me.retrieve();
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('sends requests if the page is an imitation in Node, such as jsdom', async () => {
    enterPage(process);
    await createClient({ apiKey: 'svc_sk_1', baseUrl, fetch }).me.retrieve();
    expect(fetch).toHaveBeenCalledOnce();
  });
});
