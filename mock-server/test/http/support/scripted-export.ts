import { createControlClient } from '../../../src/control-client/client.ts';
import type { Server, ServerConfig } from '../../../src/index.ts';
import { demo } from '../../demo.ts';
import type { startReceiver } from '../../receiver.ts';

/** What a server is told so that its runs are the same. */
export const repeatable = (randomSeed: number): Partial<ServerConfig> => ({
  rateLimit: false,
  startAt: Date.parse('2031-03-01T00:00:00Z'),
  randomSeed,
  masterKey: Buffer.alloc(32, 3).toString('base64'),
});

type Receiver = Awaited<ReturnType<typeof startReceiver>>;

/** Runs one script on a new server and returns its export. The receiver is the same, since its URL is exported. */
export async function scriptedExport({ url }: Pick<Server, 'url'>, receiver: Receiver, stable = true): Promise<string> {
  const control = createControlClient({ baseUrl: url });
  receiver.status = 500;
  const post = async (path: string, body?: unknown) => {
    const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
    const answer = await fetch(url + path, {
      method: 'POST',
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return (await answer.json()) as { endpoint: { id: string } };
  };
  const { endpoint } = await post('/v1/webhooks/endpoints', { url: receiver.url, subscribedEvents: ['*'] });
  await control.createCredential({ kind: 'api_key', workspaceId: demo.staging.id });
  await control.createEvents({
    events: Array.from({ length: 20 }, () => ({ workspaceId: demo.production.id, type: 'lifecycle.evaluated' })),
  });
  await control.settle();
  await control.changeClock({ advance: '35m' });
  await post(`/v1/webhooks/endpoints/${endpoint.id}/rotate-secret`);
  receiver.status = 204;
  await control.changeClock({ advance: '2h' });
  await control.settle();
  const answer = await fetch(`${url}/_control/export?stable=${stable}`);
  return await answer.text();
}
