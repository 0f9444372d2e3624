import { createHandler, startServer } from '@svc/mock-server';
import { describe, expect, it } from 'vitest';
import { type ApiKeyClient, createClient, type UserClient } from '../src/index.ts';
import { fixtures } from '../src/testing.ts';
import { scenario, type Target } from './release/scenario.ts';

type Server = Pick<Awaited<ReturnType<typeof startServer>>, 'credentials' | 'url'>;

const start = () => startServer({ port: 0, dataDir: null, logLevel: 'silent' });

function targetOf(server: Server): Target {
  const find = (kind: string) => server.credentials.find((issued) => issued.kind === kind)?.credential ?? '';
  return { baseUrl: server.url, apiKey: find('api_key'), accessToken: find('personal_access_token') };
}

describe('against the reference server', () => {
  it('passes the whole scenario', async () => {
    await using server = await start();
    expect(await scenario(targetOf(server))).toHaveLength(24);
  });

  it('passes the scenario in process, without a socket', async () => {
    await using handler = await createHandler({
      dataDir: null,
      logLevel: 'silent',
      publicUrl: 'http://reference.test',
    });
    const { credentials } = handler;
    const target = targetOf({ credentials, url: 'http://reference.test' });
    const fetch: typeof globalThis.fetch = (input, init) => handler.fetch(new Request(input, init));
    expect(await scenario({ ...target, fetch })).toHaveLength(24);
  });

  it('keeps to the rate limit: every call within it succeeds, and the others fail at once', async () => {
    await using server = await start();
    const { apiKey, baseUrl } = targetOf(server);
    const svc: ApiKeyClient = createClient({ apiKey, baseUrl, deadlineMs: 30_000 });
    const outcomes = await Promise.allSettled(Array.from({ length: 310 }, () => svc.me.retrieve()));
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => reason);
    // The window is a minute long. Calls that do not fit fail at once, because the wait would exceed the deadline.
    expect(outcomes.length - refusals.length).toBe(300);
    expect(refusals.length).toBe(10);
    for (const refusal of refusals) expect(['RATE_LIMITED', 'TIMEOUT']).toContain(refusal.code);
  });

  it('gets an endpoint and a secret in the form of the fixtures', async () => {
    await using server = await start();
    const { apiKey, baseUrl } = targetOf(server);
    const svc: ApiKeyClient = createClient({ apiKey, baseUrl });
    const { url, subscribedEvents, apiVersion, ...endpoint } = fixtures.webhookEndpoint({ url: 'https://a.test/' });
    const created = await svc.webhooks.endpoints.create({ url, subscribedEvents });
    expect(Object.keys(created.endpoint)).toEqual(expect.arrayContaining(Object.keys(endpoint)));
    expect(created.endpoint).toMatchObject({ description: null, active: true, apiVersion });
    const form = /^whsec_(?=.*[-_])[\w-]{43}$/;
    expect(created.secret.secret).toMatch(form);
    expect(fixtures.webhookSecret().secret).toMatch(form);
  });

  it('throws the documented message for an unknown name in expand', async () => {
    await using server = await start();
    const { accessToken, baseUrl } = targetOf(server);
    const user: UserClient = createClient({ accessToken, baseUrl });
    await expect(user.organizations.list({ expand: ['members' as 'workspaces'] })).rejects.toMatchObject({
      code: 'VALIDATION',
      message: 'Unknown expand field: "members". Available: workspaces.',
    });
  });
});
