// The work that everything here is compared by: sign a body and POST it.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { DEFAULT_CONCURRENCY } from '../../src/delivery/engine.ts';

export const BODY = JSON.stringify({
  id: 'evt_01JQ0000000000000000000000',
  type: 'lifecycle.evaluated',
  created: '2031-03-01T00:00:00.000Z',
  subject: {
    id: 'wsp_01JQ0000000000000000000000',
    type: 'workspace',
    url: '/v1/workspaces/wsp_01JQ0000000000000000000000',
  },
});

/** What one exchange leaves for the log. */
export interface Sent {
  headers: Record<string, string>;
  status: number;
  body: string;
}

/** Signs and POSTs over kept connections, as many at once as the engine has slots. */
export function createSender(url: string) {
  const pool = new Pool(new URL(url).origin, { connections: DEFAULT_CONCURRENCY });
  const key = createSecretKey(randomBytes(33));
  return {
    async send(id: string): Promise<Sent> {
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${BODY}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': String(timestamp),
        'webhook-signature': `v1,${signature}`,
      };
      const answer = await pool.request({ path: '/', method: 'POST', headers, body: BODY });
      return { headers, status: answer.statusCode, body: await answer.body.text() };
    },
    close: () => pool.close(),
  };
}

/** What a run came to. */
export interface Measured {
  /** Deliveries per second. */
  rate: number;
  /** Processor time of this process per delivery, which other work on the machine disturbs less. */
  cpuMicros: number;
}

export async function measure(count: number, work: () => Promise<unknown>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { rate: count / seconds, cpuMicros: (user + system) / count };
}

/** The loop that only signs and posts. */
export async function bareLoop(url: string, count: number): Promise<Measured> {
  const sender = createSender(url);
  let left = count;
  const worker = async () => {
    while (left-- > 0) await sender.send(`whd_${left}`);
  };
  const measured = await measure(count, () => Promise.all(Array.from({ length: DEFAULT_CONCURRENCY }, worker)));
  await sender.close();
  return measured;
}
