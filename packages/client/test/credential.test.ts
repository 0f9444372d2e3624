import { afterEach, describe, expect, it, vi } from 'vitest';
import { createClient, UsageError } from '../src/index.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

const baseUrl = 'https://a.example';
const workspace = { id: 'wsp_1', name: 'Acme' };

function messageOf(options: object | undefined): string {
  try {
    createClient(options as Parameters<typeof createClient>[0]);
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
  return 'accepted';
}

afterEach(() => void vi.unstubAllEnvs());

describe('a credential that cannot be used', () => {
  it.each([
    [{}, 'A credential is missing: give apiKey or accessToken, or set SVC_API_KEY'],
    [{ apiKey: undefined }, 'apiKey is missing: is its variable set?'],
    [{ apiKey: undefined, accessToken: undefined }, 'apiKey is missing: is its variable set?'],
    [{ accessToken: undefined }, 'accessToken is missing: is its variable set?'],
    [{ apiKey: '' }, 'apiKey is empty: is its variable set?'],
    [{ accessToken: '' }, 'accessToken is empty: is its variable set?'],
    [{ apiKey: 'svc_sk_1\n' }, 'apiKey contains white space: trim it'],
    [{ accessToken: ' svc_pat_1' }, 'accessToken contains white space: trim it'],
    [{ apiKey: 'svc_sk_…' }, 'apiKey contains a character that HTTP cannot carry: copy it again'],
    [{ apiKey: 'svc_pat_1' }, 'apiKey starts with svc_pat_: pass it as accessToken'],
    [{ accessToken: 'svc_sk_1' }, 'accessToken starts with svc_sk_: pass it as apiKey'],
    [{ apiKey: 7 }, 'apiKey must be a string, or a function that returns one'],
    [{ apiKey: 'svc_sk_1', accessToken: 'svc_pat_1' }, 'Give apiKey or accessToken, not both'],
  ])('is refused with its own message: %j', (options, message) => {
    expect(messageOf({ ...options, baseUrl })).toBe(message);
  });

  it.each([
    { apiKey: 'svc_sk_1' },
    { accessToken: 'svc_pat_1' },
    { apiKey: undefined, accessToken: 'svc_pat_1' },
    { apiKey: 'svc_sk_1', accessToken: undefined },
    { apiKey: () => '' },
  ])('does not include %j', (options) => {
    expect(messageOf({ ...options, baseUrl })).toBe('accepted');
  });
});

describe('createClient without options', () => {
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
    ['', 'SVC_API_KEY is empty: is its variable set?'],
    ['svc_sk_1\n', 'SVC_API_KEY contains white space: trim it'],
    ['svc_pat_1', 'SVC_API_KEY starts with svc_pat_: pass it as accessToken'],
  ])('names the variable with an unusable value: %j', (value, message) => {
    vi.stubEnv('SVC_API_KEY', value);
    expect(messageOf({ baseUrl })).toBe(message);
  });

  it('does not fall back to another credential if the given one is undefined', () => {
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    expect(messageOf({ apiKey: undefined, baseUrl })).toMatch(/^apiKey is missing/);
    expect(messageOf({ accessToken: undefined, baseUrl })).toMatch(/^accessToken is missing/);
  });

  it('says what is missing', () => {
    expect(messageOf(undefined)).toMatch(/^A credential is missing/);
    vi.stubEnv('SVC_API_KEY', 'svc_sk_env');
    expect(messageOf(undefined)).toBe('baseUrl is missing: give it, or set SVC_BASE_URL');
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
  ])('reads nothing if the runtime has %s', (_, process) => {
    vi.stubGlobal('process', process);
    const message = messageOf(undefined);
    vi.unstubAllGlobals();
    expect(message).toMatch(/^A credential is missing/);
  });
});
