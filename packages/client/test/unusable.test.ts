import { describe, expect, it } from 'vitest';
import type { ApiKeyClient } from '../src/index.ts';
import { apiKeyClient } from './support/clients.ts';
import { startScriptedServer } from './support/scripted-server.ts';
import { json } from './support/steps.ts';

const circular: Record<string, unknown> = {};
circular['self'] = circular;

const withHeader = (value: string) => (svc: ApiKeyClient) => svc.me.retrieve({ headers: { 'X-Trace': value } });
const since = (createdFrom: Date) => (svc: ApiKeyClient) => svc.webhooks.deliveries.list({ createdFrom });
const withName = (name: unknown) => (svc: ApiKeyClient) => svc.workspaces.update('wsp_1', { name: name as string });

describe('a value that cannot be sent', () => {
  it.each([
    ['a header with a line break', withHeader('hush\nx: y'), /headers/],
    ['a header that is not Latin', withHeader('hush Ж'), /headers/],
    ['a header without a name', (svc: ApiKeyClient) => svc.me.retrieve({ headers: { '': 'hush' } }), /headers/],
    ['an invalid date', since(new Date('hush')), /createdFrom is null or an invalid date/],
    ['null in a query', (svc: ApiKeyClient) => svc.events.list({ type: null as never }), /^type is null or an invalid/],
    ['a big integer in a body', withName(7n), /JSON.*BigInt/],
    ['a circle in a body', withName(circular), /JSON.*circular/i],
  ])('causes a UsageError that does not show it: %s', async (_, call, message) => {
    await using server = await startScriptedServer(json({ workspace: {}, data: [] }));
    const error = await call(apiKeyClient(server)).then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    expect(error).toMatchObject({ name: 'UsageError', message: expect.stringMatching(message), attempts: 0 });
    expect(`${error}${JSON.stringify(error)}`).not.toContain('hush');
    expect(server.requests).toEqual([]);
  });

  it.each([
    ['a header', withHeader('plain')],
    ['a header in Latin', withHeader('née')],
    ['a date', since(new Date(0))],
    ['a body', withName('Acme Ж')],
  ])('does not include %s that can be sent', async (_, call) => {
    await using server = await startScriptedServer(json({ workspace: {}, data: [] }));
    await call(apiKeyClient(server));
    expect(server.requests).toHaveLength(1);
  });
});
