import { createControlClient } from '../../../src/control-client/client.ts';
import type { Server, ServerConfig } from '../../../src/index.ts';
import { demoSeedAt } from '../../../src/storage/seed/demo.ts';
import { demo } from '../demo.ts';
import type { startReceiver } from '../receiver.ts';

const START_AT = Date.parse('2031-03-01T00:00:00Z');

/** Options that make every run of a server the same. */
export const repeatable = (randomSeed: number): Partial<ServerConfig> => ({
  rateLimit: false,
  startAt: START_AT,
  randomSeed,
  masterKey: Buffer.alloc(32, 3).toString('base64'),
  seed: demoSeedAt(START_AT),
});

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/**
 * Runs a script on a new server and returns its export. Compare runs with the same receiver, because its URL is
 * exported.
 */
export async function scriptedExport({ url }: Pick<Server, 'url'>, receiver: Receiver, stable = true): Promise<string> {
  const control = createControlClient({ baseUrl: url });
  const { id: workspaceId } = demo.production;
  receiver.status = 500;
  const call = async (method: string, path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as { endpoint: { id: string }; data: { id: string }[] };
  };
  const { endpoint } = await call('POST', '/v1/webhooks/endpoints', { url: receiver.url, subscribedEvents: ['*'] });
  await control.createCredential({ kind: 'api_key', workspaceId: demo.staging.id });
  await control.createEvents({
    events: Array.from({ length: 20 }, () => ({ workspaceId, type: 'lifecycle.evaluated' })),
  });
  await control.settle();
  await control.changeClock({ advance: '35m' });
  await call('POST', `/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`);
  receiver.status = 204;
  // About half of the fourth attempts fail. The random seed decides which ones.
  await control.createFault({ target: 'delivery', match: { attempt: 4 }, effect: { status: 502 }, probability: 0.5 });
  await control.changeClock({ advance: '2h' });
  const { data } = await call('GET', '/v1/webhooks/deliveries?limit=1&status=success');
  await call('POST', `/v1/webhooks/deliveries/${data[0]?.id}/replay`);
  await control.importProfiles({ workspaceId, profiles: [{ externalId: 'new', activeDays: ['2031-02-28'] }] });
  await control.evaluate({ workspaceId });
  // Pass midnight, when every workspace with profiles is evaluated.
  await control.changeClock({ advance: '1d' });
  await control.settle();
  const answer = await fetch(`${url}/_control/export?stable=${stable}`);
  return await answer.text();
}
