// Sends one write after another to a server, without pauses. The program's argument describes the server and the
// writes. Counts the writes until the parent process sends `stop`.
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { demo } from '../../test/support/demo.ts';
import type { WriteOrder } from './loads.ts';

const order = JSON.parse(process.argv[2] ?? '') as WriteOrder;
const pool = new Pool(order.url, { connections: order.callers });
const headers = { authorization: `Bearer ${demo.production.key}`, 'content-type': 'application/json' };
let isStopped = false;
let written = 0;

async function call(method: 'PATCH' | 'POST', path: string, body: object): Promise<number> {
  const { statusCode, body: received } = await pool.request({ method, path, headers, body: JSON.stringify(body) });
  await received.dump();
  return statusCode;
}

async function writeOnce(): Promise<void> {
  if (order.kind === 'changes') {
    const status = await call('PATCH', `/v1/workspaces/${demo.production.id}`, { name: `Name ${written}` });
    if (status !== 200) throw new Error(`A change returned ${status}.`);
    written++;
    return;
  }
  const event = { workspaceId: demo.production.id, type: 'lifecycle.evaluated' };
  const status = await call('POST', '/_control/events', { events: Array(order.eventsPerCall).fill(event) });
  // The server rejects events while too many events wait to be written.
  if (status === 503) await sleep(100);
  else if (status === 201) written += order.eventsPerCall;
  else throw new Error(`Events returned ${status}.`);
}

for (let count = 0; count < order.endpoints; count++) {
  const status = await call('POST', '/v1/webhooks/endpoints', { url: order.receiverUrl, subscribedEvents: ['*'] });
  if (status !== 201) throw new Error(`An endpoint returned ${status}.`);
}
const callers = Array.from({ length: order.callers }, async () => {
  while (!isStopped) await writeOnce();
});
process.once('message', async () => {
  isStopped = true;
  await Promise.all(callers);
  process.send?.(written, () => process.exit());
});
process.send?.('started');
