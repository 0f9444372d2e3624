import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '@svc/client';
import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import { styleStatus } from '../../output/style.ts';
import type { Scope } from '../../session.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './filters.ts';

const LOOK_INTERVAL_MS = 500;
/** Deliveries whose changes are followed. */
const FOLLOWED_MAX = 100;

/** `svc-mock deliveries tail` */
export function addDeliveriesTail(parent: Command): void {
  addCommand<DeliveryFilters>(parent, {
    usage: 'tail',
    summary: 'show new and changed deliveries, until Ctrl+C',
    examples: ['svc-mock deliveries tail', 'svc-mock deliveries tail --endpoint whe_… --json'],
    options: filterOptions(),
    stopsGracefully: true,
    async run(session, _args, options) {
      const svc = await session.api(options.workspace);
      const params = await paramsOf(session, options);
      const look = () => newest(svc, params);
      const shown = new Map((await look()).map((delivery) => [delivery.id, stateOf(delivery)]));
      session.output.note('Waiting for deliveries. Stop with Ctrl+C.');
      while (!session.signal.aborted) {
        await sleep(LOOK_INTERVAL_MS, undefined, { signal: session.signal }).catch(() => {});
        if (session.signal.aborted) return;
        for (const delivery of (await look()).toReversed()) {
          if (shown.get(delivery.id) === stateOf(delivery)) continue;
          shown.set(delivery.id, stateOf(delivery));
          session.output.item(delivery, () => lineOf(session.output, delivery));
        }
      }
    },
  });
}

const newest = async (svc: Scope, params: Awaited<ReturnType<typeof paramsOf>>) =>
  (await svc.webhooks.deliveries.list({ ...params, limit: FOLLOWED_MAX })).data;

const stateOf = ({ status, attempt }: WebhookDelivery) => `${status} ${attempt}`;

function lineOf({ style }: Output, delivery: WebhookDelivery): string {
  const { id, eventType, status, attempt, error, responseStatus, responseTimeMs } = delivery;
  const last = attempt === 0 ? '' : `${error ?? `HTTP ${responseStatus}`} in ${responseTimeMs} ms`;
  return [id, eventType, styleStatus(style, status), `attempt ${attempt}`, last].filter(Boolean).join('  ');
}
