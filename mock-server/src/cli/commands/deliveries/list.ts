import { checkEventType } from '../../check-event-type.ts';
import type { CommandSpec } from '../../command.ts';
import { limitOption } from '../../options.ts';
import { styleStatus } from '../../output/style.ts';
import { formatInstant } from '../../output/times.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './filters.ts';

export const list: CommandSpec<DeliveryFilters & { limit: number }> = {
  usage: 'list',
  summary: 'list deliveries, newest first',
  examples: ['svc-mock deliveries list --status failed --since 5d', 'svc-mock deliveries list --endpoint whe_… --json'],
  options: [...filterOptions(), limitOption()],
  async run(context, _args, options) {
    const { output } = context;
    const svc = await context.api(options.workspace);
    const nowMs = await context.now();
    const found = await svc.webhooks.deliveries
      .list(await paramsOf(context, options))
      .collect({ limit: options.limit });
    if (found.length === 0) await checkEventType(svc, options.type);
    const columns = ['ID', 'EVENT TYPE', 'STATUS', 'ATTEMPTS', 'LAST', 'ENDPOINT', 'CREATED'];
    output.list(found, 'No deliveries.', columns, (delivery) => [
      delivery.id,
      delivery.eventType,
      styleStatus(output.style, delivery.status),
      String(delivery.attempt),
      delivery.error ?? (delivery.responseStatus === null ? '' : `HTTP ${delivery.responseStatus}`),
      delivery.endpointId,
      formatInstant(delivery.createdAt, nowMs),
    ]);
  },
};
