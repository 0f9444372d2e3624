import type { ListDeliveriesParams } from '@svc/client';
import type { DeliveryStatus } from '@svc/contract';
import { Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { idParser, instantOf, statusOption, workspaceOption } from '../../options.ts';

export interface DeliveryFilters {
  endpoint?: string;
  status?: DeliveryStatus;
  type?: string;
  since?: string;
  until?: string;
}

/** Each option also has the name that the filter has in the API. */
export const filterOptions = () => [
  new Option('--endpoint-id, --endpoint <id>', 'deliveries to this endpoint').argParser(idParser('webhookEndpoint')),
  statusOption('deliveries with this status'),
  new Option('--event-type, --type <type>', 'deliveries of this event type'),
  new Option(
    '--created-from, --since <time>',
    'created at or after this time: an ISO 8601 time, or a duration such as 5d for 5 days ago (with the default retry schedule, a delivery ends as failed about 77 h 35 min after its creation)',
  ),
  new Option(
    '--created-to, --until <time>',
    'created at or before this time: an ISO 8601 time, or a duration such as 5d for 5 days ago',
  ),
  workspaceOption(),
];

export async function paramsOf(context: CommandContext, filters: DeliveryFilters): Promise<ListDeliveriesParams> {
  const { endpoint, status, type, since, until } = filters;
  const nowMs = since === undefined && until === undefined ? 0 : await context.now();
  return {
    ...(endpoint !== undefined && { endpointId: endpoint }),
    ...(status !== undefined && { status }),
    ...(type !== undefined && { eventType: type }),
    ...(since !== undefined && { createdFrom: instantOf('--since', since, nowMs) }),
    ...(until !== undefined && { createdTo: instantOf('--until', until, nowMs) }),
  };
}
