import type { WebhookDelivery } from '@svc/client';
import type { DeliveryState, LoggedAttempt, SeenDelivery } from '@svc/contract/control/resources';
import { Option } from 'commander';
import { ControlError } from '../../control-client/response.ts';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { every } from '../every.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import {
  checkEventType,
  durationMsOf,
  idOf,
  idParser,
  limitOption,
  statusOption,
  timeoutOption,
  workspaceOption,
} from '../options.ts';
import { formatInstant, type Output, shorten } from '../output/output.ts';
import { styleStatus } from '../output/style.ts';
import { asCurl } from './deliveries/as-curl.ts';
import { createChanges } from './deliveries/changes.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './deliveries/filters.ts';
import { replay } from './deliveries/replay.ts';

const list: CommandSpec<DeliveryFilters & { limit: number }> = {
  usage: 'list',
  summary: 'list deliveries, newest first',
  examples: ['svc-mock deliveries list --status failed --since 5d', 'svc-mock deliveries list --endpoint whe_… --json'],
  options: [...filterOptions(), limitOption()],
  async run(context, _args, options) {
    const { output } = context;
    const svc = await context.api();
    const nowMs = await context.now();
    const found = await svc.webhooks.deliveries
      .list(await paramsOf(context, options))
      .collect({ limit: options.limit });
    if (found.length === 0) await checkEventType(svc, options.eventType);
    output.list(found, 'No deliveries.', (delivery) => ({
      ID: delivery.id,
      'EVENT TYPE': delivery.eventType,
      STATUS: styleStatus(output.style, delivery.status),
      ATTEMPTS: String(delivery.attempt),
      LAST: delivery.error ?? (delivery.responseStatus === null ? '' : `HTTP ${delivery.responseStatus}`),
      ENDPOINT: delivery.endpointId,
      CREATED: formatInstant(delivery.createdAt, nowMs),
    }));
  },
};

const show: CommandSpec = {
  usage: 'show <id>',
  summary: 'show a delivery: its attempts, its last request as a curl command, and the reason for its status',
  examples: ['svc-mock deliveries show whd_…', 'svc-mock deliveries show whd_… --json'],
  options: [workspaceOption()],
  async run(context, [given = '']) {
    const { output, control } = context;
    const id = idOf('webhookDelivery', given);
    const svc = await context.api();
    const delivery = await svc.webhooks.deliveries.retrieve(id);
    const [{ attempts }, { explanation }, event, nowMs] = await Promise.all([
      control.listAttempts({ deliveryId: id }),
      control.explainDelivery({ deliveryId: id }),
      svc.events.retrieve(delivery.eventId),
      context.now(),
    ]);
    const last = attempts.at(-1);
    const curl = last ? asCurl(last.request, JSON.stringify(event)) : null;
    output.blocks({ delivery, attempts, explanation, curl }, () => [
      output.fields({
        ID: delivery.id,
        Event: `${delivery.eventType}  ${delivery.eventId}`,
        Endpoint: delivery.endpointId,
        Status: styleStatus(output.style, delivery.status),
        Created: formatInstant(delivery.createdAt, nowMs),
        Delivered: formatInstant(delivery.deliveredAt, nowMs),
        'Next attempt': formatInstant(delivery.nextAttemptAt, nowMs),
      }),
      explanation.sentence,
      attemptsTable(output, attempts, nowMs),
      curl === null ? [] : ['The last request, as a curl command:', ...curl.split('\n')],
    ]);
  },
};

const attemptsTable = ({ tableOf, style: { green, red } }: Output, attempts: readonly LoggedAttempt[], nowMs: number) =>
  tableOf(attempts, ({ number, response, error, responseTimeMs, startedAt, late }) => ({
    ATTEMPT: String(number),
    RESULT: `${error === null ? green(`HTTP ${response?.status}`) : red(error)}${late ? ' (late)' : ''}`,
    TOOK: `${responseTimeMs} ms`,
    STARTED: formatInstant(startedAt, nowMs),
    RESPONSE: shorten(response?.body ?? ''),
  }));

const wait: CommandSpec<{ event?: string; endpoint?: string; status?: DeliveryState; timeout: string }> = {
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
        output.tableOf(deliveries, ({ id, status, attempt, endpointId }) => ({
          ID: id,
          STATUS: styleStatus(output.style, status),
          ATTEMPTS: String(attempt),
          ENDPOINT: endpointId,
        })),
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

function missed(deliveries: readonly SeenDelivery[], status: string | undefined, timeout: string): string {
  const left = deliveries.find((seen) => (status === undefined ? seen.status === 'pending' : seen.status !== status));
  if (left === undefined) return 'There are no deliveries to wait for.';
  const one = status === undefined ? 'did not end' : `did not reach the status ${status}`;
  const all = status === undefined ? 'ended' : `reached the status ${status}`;
  const what = deliveries.length === 1 ? `The delivery ${one}` : `Not all deliveries ${all}`;
  const seen = [...new Set(deliveries.map((delivery) => delivery.status))].join(', ');
  return `${what} within ${timeout}. Statuses: ${seen}. To see why: svc-mock deliveries show ${left.id}`;
}

const POLL_INTERVAL_MS = 500;

const tail: CommandSpec<DeliveryFilters> = {
  usage: 'tail',
  summary: 'show new and changed deliveries, until you press Ctrl+C',
  examples: ['svc-mock deliveries tail', 'svc-mock deliveries tail --endpoint whe_… --since 1h --json'],
  options: filterOptions(),
  stopsGracefully: true,
  async run(context, _args, options) {
    const svc = await context.observer();
    await checkEventType(svc, options.eventType);
    const look = createChanges(svc, await paramsOf(context, options));
    const show = (deliveries: readonly WebhookDelivery[]) => {
      for (const delivery of deliveries) context.output.item(delivery, () => lineOf(context.output, delivery));
    };
    const there = await look();
    if (options.createdFrom !== undefined) show(there);
    context.output.note('Waiting for deliveries. Stop with Ctrl+C.');
    for await (const _ of every(POLL_INTERVAL_MS, context.signal)) show(await look());
  },
};

function lineOf({ style }: Output, delivery: WebhookDelivery): string {
  const { id, eventType, status, attempt, error, responseStatus, responseTimeMs } = delivery;
  const last = attempt === 0 ? '' : `${error ?? `HTTP ${responseStatus}`} in ${responseTimeMs} ms`;
  return [id, eventType, styleStatus(style, status), `attempt ${attempt}`, last].filter(Boolean).join('  ');
}

export const deliveries: GroupSpec = {
  name: 'deliveries',
  summary: 'list, show, replay, wait for or watch deliveries',
  commands: [list, show, replay, wait, tail],
};
