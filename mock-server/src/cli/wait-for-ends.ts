import { setTimeout as sleep } from 'node:timers/promises';
import type { SeenDelivery } from '@svc/contract/control/resources';
import { ControlError } from '../control-client/error.ts';
import type { CommandContext } from './context.ts';

const LOOK_INTERVAL_MS = 100;
/** How many deliveries to request at the same time. */
const WINDOW = 20;

/** The state of a delivery after an attempt, or after the delivery has ended. */
export interface SeenChange {
  id: string;
  endpointId: string;
  status: string;
  attempts: number;
  /** The result of the last attempt. */
  result: string;
}

/**
 * Waits for deliveries to end. Calls `onChange` after each attempt and at the end of each delivery.
 *
 * @returns the deliveries that ended before the timeout.
 */
export async function waitForEnds(
  { control }: CommandContext,
  ids: readonly string[],
  timeoutMs: number,
  onChange: (change: SeenChange) => Promise<void>,
): Promise<SeenChange[]> {
  const endsAt = performance.now() + timeoutMs;
  /** The latest report about each delivery that has not ended. */
  const left = new Map(ids.map((id) => [id, 'pending 0']));
  const ended: SeenChange[] = [];

  async function look(id: string): Promise<void> {
    const seen = await lookAt(control, id);
    const { attempts } = await control.listAttempts({ deliveryId: id });
    const last = attempts.at(-1);
    const result = last === undefined ? 'not attempted' : (last.error ?? `HTTP ${last.response?.status}`);
    const change = { id, endpointId: seen.endpointId, status: seen.status, attempts: seen.attempt, result };
    const state = `${change.status} ${change.attempts}`;
    if (left.get(id) === state) return;
    left.set(id, state);
    await onChange(change);
    if (change.status === 'pending') return;
    left.delete(id);
    ended.push(change);
  }

  while (left.size > 0) {
    const window = [...left.keys()].slice(0, WINDOW);
    await Promise.all(window.map(look));
    // Move these deliveries to the end of the line. Otherwise, deliveries that wait for a retry would fill every
    // window, and the command would not notice that other deliveries have ended.
    for (const id of window) {
      const state = left.get(id);
      if (state !== undefined && left.delete(id)) left.set(id, state);
    }
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) break;
    if (left.size > 0) await sleep(Math.min(LOOK_INTERVAL_MS, leftMs));
  }
  return ended;
}

async function lookAt(control: CommandContext['control'], deliveryId: string): Promise<SeenDelivery> {
  try {
    return only((await control.wait({ deliveryId, timeoutMs: 0 })).deliveries);
  } catch (error) {
    if (!(error instanceof ControlError) || error.status !== 408) throw error;
    return only((error.body as { deliveries: SeenDelivery[] }).deliveries);
  }
}

function only([delivery]: readonly SeenDelivery[]): SeenDelivery {
  if (!delivery) throw new TypeError('The server returned no delivery.');
  return delivery;
}
