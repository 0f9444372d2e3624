import { openDatabase } from './open-database.ts';
import { RETRY_DELAYS_MS } from './plan.ts';
import type { Seen } from './receiver.ts';

/** What the database and the receiver say at the end. */
export interface Findings {
  accepted: number;
  /** Accepted deliveries that the receiver never saw, or that are not ended. */
  lost: number;
  /** Requests that no attempt in the log stands for: a node died between the request and its write-back. */
  sentTwice: number;
  /** Results that came back after their lease was lost. */
  late: number;
  /** What does not add up, in words. */
  wrong: string[];
}

/** Compares the log, the deliveries, the counters and what was received. */
export async function check(
  database: string,
  accepted: ReadonlySet<string>,
  received: ReadonlyMap<string, Seen>,
): Promise<Findings> {
  await using storage = await openDatabase(database);
  return await storage.read(async (queries) => {
    const deliveries = await queries.selectFrom('deliveries').selectAll().orderBy('id').execute();
    const attempts = await queries.selectFrom('delivery_attempts').selectAll().orderBy('id').execute();
    const endpoints = await queries.selectFrom('webhook_endpoints').selectAll().execute();
    const events = await queries.selectFrom('events').selectAll().execute();
    const notifications = await queries.selectFrom('notifications').selectAll().execute();
    const queue = await queries.selectFrom('delivery_queue').selectAll().execute();
    const lanes = await queries.selectFrom('delivery_lanes').selectAll().execute();
    const byId = new Map(deliveries.map((delivery) => [delivery.id, delivery]));
    const attemptsById = Map.groupBy(attempts, ({ delivery_id }) => delivery_id);
    const wrong: string[] = [];

    const lost = [...accepted].filter((id) => {
      const delivery = byId.get(id);
      if (delivery === undefined || delivery.status === 'pending') return true;
      return delivery.status !== 'disabled' && !received.has(id);
    });
    let sentTwice = 0;
    for (const delivery of deliveries) {
      const log = attemptsById.get(delivery.id) ?? [];
      const counted = log.filter(({ late }) => late === 0);
      const numbers = counted.map(({ number }) => number);
      const expected = Array.from({ length: delivery.attempt }, (_, index) => index + 1);
      if (numbers.join() !== expected.join())
        wrong.push(`${delivery.id} counts ${delivery.attempt}, logged ${numbers}`);
      if (delivery.attempt > RETRY_DELAYS_MS.length + 1) wrong.push(`${delivery.id} was tried too often`);
      if (delivery.status === 'success' && counted.at(-1)?.error !== null) wrong.push(`${delivery.id} is no success`);
      sentTwice += Math.max(0, (received.get(delivery.id)?.requests ?? 0) - log.length);
    }
    for (const endpoint of endpoints) {
      const disabled = events.filter(
        ({ type, subject_id }) => type === 'webhook.endpoint.auto_disabled' && subject_id === endpoint.id,
      ).length;
      const told = notifications.filter(({ endpoint_id }) => endpoint_id === endpoint.id).length;
      const expected = endpoint.active === 1 ? 0 : 1;
      if (disabled !== expected || told !== expected) {
        wrong.push(`${endpoint.id} was disabled ${expected} times, with ${disabled} events and ${told} notifications`);
      }
    }
    if (queue.length > 0) wrong.push(`${queue.length} deliveries stand in the queue`);
    const full = lanes.filter(({ head_due_at, turn_at, lease_until }) => head_due_at ?? turn_at ?? lease_until);
    if (full.length > 0) wrong.push(`${full.length} lanes are not empty`);
    return {
      accepted: accepted.size,
      lost: lost.length,
      sentTwice,
      late: attempts.filter(({ late }) => late === 1).length,
      wrong,
    };
  });
}
