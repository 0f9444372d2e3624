// Calls `GET /v1/me` every 5 ms, even if earlier calls have no response yet. Each wait is measured from the time at
// which its call is due. A caller that waited for each response before the next call would not see how long the server
// stalls.
//
//   node ask-me.ts <base URL> <credential> <seconds>
import { Agent, get } from 'node:http';

const INTERVAL_MS = 5;

const [url = '', credential = '', seconds] = process.argv.slice(2);
// While a server stalls, new connections wait in its backlog, and the system refuses connections when the backlog is
// full. So open fewer connections than the backlog can hold.
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const headers = { authorization: `Bearer ${credential}` };

function ask(dueAt: number): Promise<number> {
  return new Promise((resolve, reject) => {
    get(`${url}/v1/me`, { agent, headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`GET /v1/me returned ${response.statusCode}.`));
      response.resume().on('end', () => resolve(performance.now() - dueAt));
    }).on('error', reject);
  });
}

const waits: Promise<number>[] = [];
const startedAt = performance.now();
const total = (Number(seconds) * 1_000) / INTERVAL_MS;
const timer = setInterval(async () => {
  while (waits.length < total && startedAt + waits.length * INTERVAL_MS <= performance.now()) {
    waits.push(ask(startedAt + waits.length * INTERVAL_MS));
  }
  if (waits.length < total) return;
  clearInterval(timer);
  process.send?.(await Promise.all(waits), () => process.exit());
}, 1);
