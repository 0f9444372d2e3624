// The work that all contestants do: sign a body and POST it.

import type { KeyObject } from 'node:crypto';
import { Pool } from 'undici';
import { DEFAULT_CONFIG } from '../../src/config/config.ts';
import { signatureHeaders } from '../../src/domain/signature.ts';

/** The message to send. */
export interface Message {
  /** The delivery's id. */
  id: string;
  path: string;
  body: string;
  keys: readonly KeyObject[];
}

/** What the log stores about a request and its response. */
export interface Sent {
  loggedHeaders: Record<string, string>;
  response: { status: number; headers: Record<string, string>; body: string };
}

/**
 * Creates a sender, which signs messages and POSTs them over persistent connections.
 *
 * @param connections - The maximum number of connections. Default: the number of the engine's slots.
 */
export function createSender(url: string, connections: number = DEFAULT_CONFIG.concurrency) {
  const pool = new Pool(new URL(url).origin, { connections });
  return {
    async send({ id, path, body, keys }: Message): Promise<Sent> {
      const timestamp = Math.floor(Date.now() / 1000);
      const loggedHeaders = signatureHeaders({ id, timestamp, body }, keys);
      const headers = { 'content-type': 'application/json', ...loggedHeaders };
      const received = await pool.request({ path, method: 'POST', headers, body });
      const response = {
        status: received.statusCode,
        // The benchmark's receiver sends each header only once, so no value is an array.
        headers: received.headers as Record<string, string>,
        body: await received.body.text(),
      };
      return { loggedHeaders, response };
    },
    close: () => pool.close(),
  };
}

/** The result of a run. */
export interface Measured {
  /** Deliveries per second. */
  rate: number;
  /**
   * Processor time of this process per delivery. Other work on the machine affects this time less than it affects the
   * rate.
   */
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
