import { setTimeout as wait } from 'node:timers/promises';
import { call, type ServerProcess } from './server-process.ts';

/** How far an advance moves the clock. All pending retries become due on the way. */
const ADVANCE = '2h';
/** An advance under load takes longer than this, so a kill after a random part of this time interrupts it. */
const KILLED_WITHIN_MS = 500;

/** A clock move by a node. */
export interface Advance {
  /** Whether the node is still moving the clock. */
  isUnderWay(): boolean;
}

/** Makes a node move the clock, and resolves after a random time within {@link KILLED_WITHIN_MS}. */
export async function startAdvance(node: ServerProcess): Promise<Advance> {
  let isUnderWay = true;
  call(node, 'POST', '/_control/clock', { advance: ADVANCE })
    // The node is killed, or the database rejects the call. In both cases, the node has not confirmed the move.
    .catch(() => {})
    .finally(() => {
      isUnderWay = false;
    });
  await wait(Math.random() * KILLED_WITHIN_MS);
  return { isUnderWay: () => isUnderWay };
}

/** The virtual time of a node, in milliseconds. */
export async function virtualNow(node: ServerProcess): Promise<number> {
  return Date.parse((await call(node, 'GET', '/_control/clock')).body.now ?? '');
}

/**
 * Waits until the clock continues after the node that moved it was killed, and compares the clock with the newest
 * event.
 *
 * @returns the problems, as sentences.
 */
export async function checkClock(node: ServerProcess, apiKey: string): Promise<string[]> {
  const { body } = await call(node, 'GET', '/v1/events?limit=1', undefined, apiKey);
  const created = Date.parse(body.data?.[0]?.created ?? '');
  const from = await virtualNow(node);
  const wrong = created > from ? [`an event was created ${created - from} ms in the future`] : [];
  for (let waited = 0; waited < 30_000; waited += 20) {
    if ((await virtualNow(node)) > from) return wrong;
    await wait(20);
  }
  return [...wrong, 'the clock stopped after the node that moved it was killed'];
}
