import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startReceiver } from '@svc/testing';

export const WORKSPACE = 'wsp_01DEM00000000000000PR0D000';
const KEY = 'svc_sk_test_demo_acme_production';
const COMMAND = join(import.meta.dirname, '../../../mock-server/dist/main.js');
/** The maximum number of events that one call of the control API accepts. */
const EVENTS_PER_CALL = 10_000;

/** The number of deliveries per second, and the processor time that all server threads together need per delivery. */
export interface Rate {
  perSecond: number;
  cpuMicroseconds: number;
}

/** The built server in a separate process, with one endpoint whose receiver responds at once. */
export interface Service extends AsyncDisposable {
  url: string;
  cause(count: number): Promise<void>;
  /** Causes deliveries, waits until they are done, and returns their rate. */
  rate(count: number): Promise<Rate>;
}

export async function startService(): Promise<Service> {
  await using cleanup = new AsyncDisposableStack();
  const receiver = await startReceiver();
  cleanup.defer(() => receiver.stop());
  const options = ['start', '--port', '0', '--memory', '--json', '--no-rate-limit'];
  const server = spawn(process.execPath, [COMMAND, ...options], { stdio: ['ignore', 'pipe', 'ignore'] });
  cleanup.defer(async () => {
    server.kill();
    await once(server, 'exit');
  });
  const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
  const { url } = JSON.parse(line) as { url: string };
  /** Returns the processor time of all threads of the server, in seconds. Linux counts in hundredths of a second. */
  const cpuSeconds = () => {
    const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  };

  async function call(path: string, body: unknown): Promise<void> {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  }

  await call('/v1/webhooks/endpoints', { url: receiver.url, subscribedEvents: ['lifecycle.*'] });
  const service = {
    url,
    async cause(count: number) {
      const event = { workspaceId: WORKSPACE, type: 'lifecycle.evaluated' };
      for (let left = count; left > 0; left -= EVENTS_PER_CALL) {
        await call('/_control/events', {
          events: Array.from({ length: Math.min(left, EVENTS_PER_CALL) }, () => event),
        });
        await call('/_control/settle', { timeoutMs: 120_000 });
      }
    },
    async rate(count: number) {
      const startedAt = performance.now();
      const usedBefore = cpuSeconds();
      await service.cause(count);
      const perSecond = count / ((performance.now() - startedAt) / 1_000);
      return { perSecond, cpuMicroseconds: ((cpuSeconds() - usedBefore) / count) * 1e6 };
    },
  };
  const owned = cleanup.move();
  return { ...service, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
