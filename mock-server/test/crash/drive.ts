import { setTimeout as wait } from 'node:timers/promises';
import { call, cause, type ServerProcess } from './server-process.ts';

/** How long the deliveries may take to end. */
const FINISH_MAX_MS = 180_000;

/**
 * Makes a node accept events, one call after another, until it dies or the load ends. Pauses while `pendingMax`
 * deliveries are due, so that the remaining deliveries end within minutes.
 */
export async function load(
  node: ServerProcess,
  events: { workspaceId: string; count: number; pauseMs: number; pendingMax: number; isOver: AbortSignal },
  accepted: Set<string>,
): Promise<void> {
  try {
    for (; !events.isOver.aborted; await wait(events.pauseMs)) {
      // The database may reject events, for example while a frozen node holds locks. Rejected events are not checked.
      if (await isBehind(node, events.pendingMax)) continue;
      const { pending } = await cause(node, events.workspaceId, events.count);
      for (const id of pending) accepted.add(id);
    }
  } catch (error) {
    if (!node.process.killed) throw error;
  }
}

async function isBehind(node: ServerProcess, pendingMax: number): Promise<boolean> {
  const { body } = await call(node, 'POST', '/_control/settle', { timeoutMs: 1 });
  return (body.pending ?? 0) >= pendingMax;
}

/** Waits until neither this node nor any other has anything left to do. @returns false if that takes too long. */
export async function finish(node: ServerProcess): Promise<boolean> {
  for (const from = performance.now(); performance.now() - from < FINISH_MAX_MS; await wait(50)) {
    const { body } = await call(node, 'POST', '/_control/settle', { timeoutMs: 10_000 });
    if (body.settled && body.nextDueAt === null) return true;
  }
  return false;
}

/** How many of these deliveries a node has in flight. */
export async function inFlightOf(node: ServerProcess, ids: readonly string[]): Promise<number> {
  const answers = await Promise.all(ids.map((id) => call(node, 'GET', `/_control/deliveries/${id}/explanation`)));
  return answers.filter(({ body }) => body.explanation?.reason === 'in_flight').length;
}
