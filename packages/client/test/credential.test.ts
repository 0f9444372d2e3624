import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, UsageError } from '../src/index.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

const baseUrl = 'https://a.example';
const workspace = { id: 'wsp_1', name: 'Acme' };

/** The message of the first call's error. Creating the client must not throw it. */
function messageOf(options: object | undefined): Promise<string> {
  const fetch = async () => Response.json({});
  const client = createClient({ ...options, fetch } as Parameters<typeof createClient>[0]);
  return client.me.retrieve().then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof UsageError) return error.message;
      throw error;
    },
  );
}

afterEach(() => void vi.unstubAllEnvs());

describe('a credential that cannot be used', () => {
  it.each([
    [{}, 'Pass apiKey or accessToken, or set SVC_API_KEY'],
    [{ apiKey: undefined }, 'apiKey is missing or empty: check its variable'],
    [{ apiKey: undefined, accessToken: undefined }, 'apiKey is missing or empty: check its variable'],
    [{ accessToken: undefined }, 'accessToken is missing or empty: check its variable'],
    [{ apiKey: '' }, 'apiKey is missing or empty: check its variable'],
    [{ accessToken: '' }, 'accessToken is missing or empty: check its variable'],
    [{ apiKey: 'svc_sk_1\n' }, 'apiKey contains white space: trim it'],
    [{ accessToken: ' svc_pat_1' }, 'accessToken contains white space: trim it'],
    [{ apiKey: 'svc_sk_…' }, 'apiKey contains an invalid character: copy it again'],
    [{ apiKey: 'svc_pat_1' }, 'apiKey starts with svc_pat_: pass it as accessToken'],
    [{ accessToken: 'svc_sk_1' }, 'accessToken starts with svc_sk_: pass it as apiKey'],
    [{ apiKey: 7 }, 'apiKey must be a string or a function'],
  ])('is refused with its own message: %j', async (options, message) => {
    expect(await messageOf({ ...options, baseUrl })).toBe(message);
  });

  it.each([
    { apiKey: 'svc_sk_1' },
    { accessToken: 'svc_pat_1' },
    { apiKey: undefined, accessToken: 'svc_pat_1' },
    { apiKey: 'svc_sk_1', accessToken: undefined },
    { apiKey: () => 'svc_sk_1' },
  ])('does not include %j', async (options) => {
    expect(await messageOf({ ...options, baseUrl })).toBe('accepted');
  });
});

describe('createClient without options', () => {
  it('works where no variable is set, and reads them at the first call', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    const svc = createClient();
    vi.stubEnv('SVC_API_KEY', 'svc_sk_late');
    vi.stubEnv('SVC_BASE_URL', server.url);
    expect(await svc.workspaces.retrieve('wsp_1')).toEqual(workspace);
    expect(server.requests[0]?.headers.authorization).toBe('Bearer svc_sk_late');
  });

  it('takes the API key and the address from the environment', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    vi.stubEnv('SVC_BASE_URL', `${server.url}/gateway`);
    expect(await createClient().workspaces.retrieve('wsp_1')).toEqual(workspace);
    expect(server.requests[0]).toMatchObject({
      url: '/gateway/v1/workspaces/wsp_1',
      headers: { authorization: 'Bearer svc_sk_env' },
    });
  });

  it('reads only values that are not passed', async () => {
    await using server = await startScriptedServer(json({ workspace }));
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    vi.stubEnv('SVC_BASE_URL', 'https://b.example');
    await createClient({ baseUrl: server.url }).workspaces.retrieve('wsp_1');
    await createClient({ apiKey: 'svc_sk_given', baseUrl: server.url }).workspaces.retrieve('wsp_1');
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer svc_sk_env',
      'Bearer svc_sk_given',
    ]);
  });

  it.each([
    ['', 'SVC_API_KEY is missing or empty: check its variable'],
    ['svc_sk_1\n', 'SVC_API_KEY contains white space: trim it'],
    ['svc_pat_1', 'SVC_API_KEY starts with svc_pat_: pass it as accessToken'],
  ])('names the variable with an unusable value: %j', async (value, message) => {
    vi.stubEnv('SVC_API_KEY', value);
    expect(await messageOf({ baseUrl })).toBe(message);
  });

  it('does not fall back to another credential if the given one is undefined', async () => {
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    expect(await messageOf({ apiKey: undefined, baseUrl })).toMatch(/^apiKey is missing/);
    expect(await messageOf({ accessToken: undefined, baseUrl })).toMatch(/^accessToken is missing/);
  });

  it('says what is missing', async () => {
    expect(await messageOf({ baseUrl })).toBe('Pass apiKey or accessToken, or set SVC_API_KEY');
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    expect(await messageOf(undefined)).toBe('Pass baseUrl, or set SVC_BASE_URL');
  });

  it.each([
    ['no environment', undefined],
    [
      'no permission to read it',
      {
        get env() {
          throw new Error('Requires env access');
        },
      },
    ],
  ])('reads nothing if the runtime has %s', async (_, process) => {
    vi.stubGlobal('process', process);
    const message = await messageOf({ baseUrl });
    vi.unstubAllGlobals();
    expect(message).toBe('Pass apiKey or accessToken, or set SVC_API_KEY');
  });
});
