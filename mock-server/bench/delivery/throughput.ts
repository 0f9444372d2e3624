// Complete deliveries per second (claim, sign, POST, full log, on disk) against a loop that only signs and posts.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { DEFAULT_CONCURRENCY } from '../../src/delivery/engine.ts';
import { startReceiver } from './start-receiver.ts';
import { createWorld } from './world.ts';

const DELIVERIES = Number(process.env['DELIVERIES'] ?? 20_000);
const ENDPOINTS = Number(process.env['ENDPOINTS'] ?? 64);
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);

const BODY = JSON.stringify({
  id: 'evt_01JQ0000000000000000000000',
  type: 'lifecycle.evaluated',
  created: '2031-03-01T00:00:00.000Z',
  subject: {
    id: 'wsp_01JQ0000000000000000000000',
    type: 'workspace',
    url: '/v1/workspaces/wsp_01JQ0000000000000000000000',
  },
});

interface Measured {
  /** Deliveries per second. */
  rate: number;
  /** Processor time of this process per delivery, which other work on the machine disturbs less. */
  cpuMicros: number;
}

async function measure(work: () => Promise<unknown>): Promise<Measured> {
  const cpu = process.cpuUsage();
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { rate: DELIVERIES / seconds, cpuMicros: (user + system) / DELIVERIES };
}

async function bareLoop(url: string): Promise<Measured> {
  const pool = new Pool(new URL(url).origin, { connections: DEFAULT_CONCURRENCY });
  const key = createSecretKey(randomBytes(33));
  let left = DELIVERIES;
  const worker = async () => {
    while (left-- > 0) {
      const id = `whd_${left}`;
      const timestamp = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${BODY}`).digest('base64');
      const { body } = await pool.request({
        path: '/',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'webhook-id': id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': `v1,${signature}`,
        },
        body: BODY,
      });
      await body.text();
    }
  };
  const measured = await measure(() => Promise.all(Array.from({ length: DEFAULT_CONCURRENCY }, worker)));
  await pool.close();
  return measured;
}

async function engineLoop(url: string): Promise<Measured> {
  await using world = await createWorld();
  const endpoints: string[] = [];
  for (let count = 0; count < ENDPOINTS; count++) endpoints.push(await world.addEndpoint(url));
  await world.enqueue(endpoints, DELIVERIES);
  return await measure(async () => {
    await using engine = await world.startEngine();
    await engine.whenIdle(AbortSignal.timeout(120_000));
  });
}

const receiver = await startReceiver();
await bareLoop(receiver.url);
for (let round = 0; round < ROUNDS; round++) {
  const bare = await bareLoop(receiver.url);
  const engine = await engineLoop(receiver.url);
  console.log(
    `${ENDPOINTS} endpoints: ${Math.round(engine.rate)}/s against ${Math.round(bare.rate)}/s bare: ${(engine.rate / bare.rate).toFixed(2)}; ` +
      `${engine.cpuMicros.toFixed(0)} µs of processor time against ${bare.cpuMicros.toFixed(0)} µs: ${(bare.cpuMicros / engine.cpuMicros).toFixed(2)}`,
  );
}
receiver.stop();
