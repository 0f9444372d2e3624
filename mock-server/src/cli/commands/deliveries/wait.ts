import type { DeliveryState, SeenDelivery } from '@svc/contract/control/resources';
import { Option } from 'commander';
import { ControlError } from '../../../control-client/error.ts';
import type { CommandSpec } from '../../command.ts';
import { durationMsOf } from '../../durations.ts';
import { DidNotHappenError, UsageError } from '../../exit.ts';
import { idOf, idParser } from '../../ids.ts';
import { statusOption, timeoutOption } from '../../options.ts';
import { styleStatus } from '../../output/style.ts';

export const wait: CommandSpec<{ event?: string; endpoint?: string; status?: DeliveryState; timeout: string }> = {
  usage: 'wait [id]',
  summary: 'wait for a delivery, or for all deliveries of an event or an endpoint, to reach a status',
  examples: ['svc-mock deliveries wait whd_… --status success', 'svc-mock deliveries wait --event evt_… --timeout 10s'],
  options: [
    new Option('--event <id>', 'wait for every delivery of this event').argParser(idParser('event')),
    new Option('--endpoint <id>', 'wait for the deliveries to this endpoint').argParser(idParser('webhookEndpoint')),
    statusOption('the status to wait for (default: any status except pending)'),
    timeoutOption('30s'),
  ],
  async run({ control, output }, [deliveryId], { event: eventId, endpoint: endpointId, status, timeout }) {
    const timeoutMs = durationMsOf('--timeout', timeout);
    if (deliveryId !== undefined) idOf('webhookDelivery', deliveryId);
    if (!deliveryId && !eventId && !endpointId) throw new UsageError('Pass a delivery id, --event or --endpoint.');
    const show = (deliveries: readonly SeenDelivery[]) =>
      output.result({ deliveries }, () =>
        output.table(
          ['ID', 'STATUS', 'ATTEMPTS', 'ENDPOINT'],
          deliveries.map(({ id, status, attempt, endpointId }) => [
            id,
            styleStatus(output.style, status),
            String(attempt),
            endpointId,
          ]),
        ),
      );
    try {
      show((await control.wait({ deliveryId, eventId, endpointId, status, timeoutMs })).deliveries);
    } catch (error) {
      if (!(error instanceof ControlError) || error.status !== 408) throw error;
      const { deliveries } = error.body as { deliveries: SeenDelivery[] };
      show(deliveries);
      throw new DidNotHappenError(missed(deliveries, status, timeout));
    }
  },
};

/** Describes what did not happen before the timeout, and which statuses the deliveries had instead. */
function missed(deliveries: readonly SeenDelivery[], status: string | undefined, timeout: string): string {
  if (deliveries.length === 0) return 'There are no deliveries to wait for.';
  const what =
    status === undefined
      ? ['The delivery did not end', 'Not all deliveries ended']
      : [`The delivery did not reach the status ${status}`, `Not all deliveries reached the status ${status}`];
  const seen = [...new Set(deliveries.map((one) => one.status))].join(', ');
  return `${what[deliveries.length === 1 ? 0 : 1]} within ${timeout}. Seen: ${seen}.`;
}
