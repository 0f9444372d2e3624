import type { ListDeliveriesParams } from '@svc/client';
import { Option } from 'commander';
import type { CommandContext } from '../../context.ts';
import { idParser, instantOf, statusOption, workspaceOption } from '../../options.ts';

export interface DeliveryFilters extends ListDeliveriesParams {
  createdFrom?: string;
  createdTo?: string;
}

/** The last name of each option is the filter's name in the API, because Commander stores the value under that name. */
export const filterOptions = () => [
  new Option('--endpoint, --endpoint-id <id>', 'deliveries to this endpoint').argParser(idParser('webhookEndpoint')),
  statusOption('deliveries with this status'),
  new Option('--type, --event-type <type>', 'deliveries of this event type'),
  new Option(
    '--since, --created-from <time>',
    'created at or after this time: an ISO 8601 time, or a duration such as 5d for 5 days ago (with the default retry schedule, a delivery ends as failed about 77 h 35 min after its creation)',
  ),
  new Option(
    '--until, --created-to <time>',
    'created at or before this time: an ISO 8601 time, or a duration such as 5d for 5 days ago',
  ),
  workspaceOption(),
];

export async function paramsOf(
  { now }: CommandContext,
  { endpointId, status, eventType, createdFrom, createdTo }: DeliveryFilters,
): Promise<ListDeliveriesParams> {
  const timeOf = async (option: string, text: string | undefined) =>
    text === undefined ? undefined : instantOf(option, text, await now());
  return {
    endpointId,
    status,
    eventType,
    createdFrom: await timeOf('--since', createdFrom),
    createdTo: await timeOf('--until', createdTo),
  };
}
