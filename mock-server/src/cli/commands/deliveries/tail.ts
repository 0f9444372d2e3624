import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '@svc/client';
import { checkEventType } from '../../check-event-type.ts';
import type { CommandSpec } from '../../command.ts';
import type { Output } from '../../output/output.ts';
import { styleStatus } from '../../output/style.ts';
import { createChanges } from './changes.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './filters.ts';

const LOOK_INTERVAL_MS = 500;

export const tail: CommandSpec<DeliveryFilters> = {
  usage: 'tail',
  summary: 'show new and changed deliveries, until you press Ctrl+C',
  examples: ['svc-mock deliveries tail', 'svc-mock deliveries tail --endpoint whe_… --since 1h --json'],
  options: filterOptions(),
  stopsGracefully: true,
  async run(context, _args, options) {
    const svc = await context.observer(options.workspace);
    await checkEventType(svc, options.type);
    const look = createChanges(svc, await paramsOf(context, options));
    const show = (deliveries: readonly WebhookDelivery[]) => {
      for (const delivery of deliveries) context.output.item(delivery, () => lineOf(context.output, delivery));
    };
    const there = await look();
    if (options.since !== undefined) show(there);
    context.output.note('Waiting for deliveries. Stop with Ctrl+C.');
    for (;;) {
      await sleep(LOOK_INTERVAL_MS, undefined, { signal: context.signal }).catch(() => {});
      if (context.signal.aborted) return;
      show(await look());
    }
  },
};

function lineOf({ style }: Output, delivery: WebhookDelivery): string {
  const { id, eventType, status, attempt, error, responseStatus, responseTimeMs } = delivery;
  const last = attempt === 0 ? '' : `${error ?? `HTTP ${responseStatus}`} in ${responseTimeMs} ms`;
  return [id, eventType, styleStatus(style, status), `attempt ${attempt}`, last].filter(Boolean).join('  ');
}
