import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookDelivery } from '@svc/client';
import type { NewEventInput, TriggeredEvent } from '@svc/contract/control/resources';
import { Option } from 'commander';
import { wholeNumber } from '../../config/option-values.ts';
import { compactDuration, formatDuration, timeToNextAttemptMs } from '../../domain/duration.ts';
import { subjectProblem } from '../../domain/event-subject.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import { durationMsOf, timeoutOption, workspaceOption } from '../options.ts';
import { styleStatus } from '../output/style.ts';
import { createChanges } from './deliveries/changes.ts';

const EVENTS_PER_CALL = 1_000;

interface TriggerOptions {
  subject?: string;
  times: number;
  wait?: true;
  timeout: string;
}

export const trigger: CommandSpec<TriggerOptions> = {
  usage: 'trigger <type>',
  summary: 'trigger events, as if something had happened in the service',
  examples: [
    'svc-mock trigger lifecycle.evaluated --wait',
    'svc-mock trigger webhook.endpoint.auto_disabled --subject webhook_endpoint:whe_… --times 3',
  ],
  options: [
    workspaceOption(),
    new Option('--subject <type:id>', 'the subject of the events (default for lifecycle.evaluated: the workspace)'),
    new Option('--times <n>', 'how many events').default(1).argParser(wholeNumber(1, 100_000)),
    new Option('--wait', 'wait for the deliveries to end, and show each attempt'),
    timeoutOption('1m'),
  ],
  async run(context, [type = ''], { subject: given, times, wait, timeout }) {
    const { output } = context;
    const timeoutMs = durationMsOf('--timeout', timeout);
    const subject = given === undefined ? undefined : subjectOf(given);
    const problem = subjectProblem(type, subject, (example) => `${example.type}:${example.id}`);
    if (problem !== undefined) throw new UsageError(`--subject ${problem}.`);
    const workspaceId = await context.workspaceId();
    const event = { workspaceId, type, ...(subject && { subject }) };
    if (!wait) {
      const triggered = await triggerAll(context, event, times);
      return output.result(times === 1 ? triggered[0] : { events: triggered }, () => describe(triggered, type));
    }
    const look = createChanges(await context.observe(workspaceId), { eventType: type });
    // The first call returns the deliveries of earlier events, so ignore its result.
    await look();
    const triggered = await triggerAll(context, event, times);
    // Use standard output, because standard error is only for the line that says why the command failed.
    output.line(describe(triggered, type));
    const ids = triggered.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    let isHinted = false;
    const { left, failed } = await waitForEnds(look, ids, timeoutMs, async (delivery) => {
      showChange(context, delivery);
      if (isHinted || delivery.status !== 'pending') return;
      isHinted = true;
      const hint = await hintOf(context, delivery.id);
      if (hint) output.line(hint);
    });
    const [next] = left;
    if (next !== undefined) {
      const hint =
        (await hintOf(context, next)) ?? `To see why the delivery has not ended: svc-mock deliveries show ${next}`;
      throw new DidNotHappenError(
        `Timed out after ${timeout}: ${left.size} of ${ids.length} deliveries had not ended. ${hint}`,
      );
    }
    if (failed > 0) throw new DidNotHappenError(`${failed} of ${ids.length} deliveries did not succeed.`);
  },
};

/** Returns `undefined` if the next attempt is already due, or if no attempt is planned. */
async function hintOf({ control }: CommandContext, deliveryId: string): Promise<string | undefined> {
  const { explanation } = await control.explainDelivery({ deliveryId });
  const dueInMs = timeToNextAttemptMs(explanation);
  if (dueInMs === undefined) return undefined;
  const next = `The next attempt of ${deliveryId} is due in ${formatDuration(dueInMs)}`;
  return `${next}. To run this attempt now: svc-mock clock advance ${compactDuration(dueInMs)}`;
}

async function triggerAll({ control }: CommandContext, event: NewEventInput, times: number): Promise<TriggeredEvent[]> {
  if (times === 1) return [await control.createEvent(event)];
  const triggered: TriggeredEvent[] = [];
  for (let left = times; left > 0; left -= EVENTS_PER_CALL) {
    const events = Array.from({ length: Math.min(EVENTS_PER_CALL, left) }, () => event);
    triggered.push(...(await control.createEvents({ events })).events);
  }
  if (triggered.length === 0)
    throw new DidNotHappenError('The server created no events. Is --server the URL of svc-mock?');
  return triggered;
}

function subjectOf(text: string): NonNullable<NewEventInput['subject']> {
  const [, type, id] = /^([a-z_]+):(\S+)$/.exec(text) ?? [];
  if (type === undefined || id === undefined) {
    throw new UsageError(`--subject must have the form type:id, such as workspace:wsp_…, not "${text}".`);
  }
  const path = type === 'webhook_endpoint' ? 'webhooks/endpoints' : `${type}s`;
  return { type, id, url: `/v1/${path}/${id}` };
}

function describe(triggered: readonly TriggeredEvent[], type: string): string {
  const deliveries = triggered.reduce((sum, one) => sum + one.deliveries.length, 0);
  const [first] = triggered;
  const what = triggered.length === 1 && first ? `${type} ${first.event.id}` : `${triggered.length} ${type} events`;
  if (deliveries === 0) return `Triggered ${what}. No endpoint subscribes to this type.`;
  return `Triggered ${what}, with ${deliveries === 1 ? '1 delivery' : `${deliveries} deliveries`}.`;
}

function showChange({ output }: CommandContext, delivery: WebhookDelivery): void {
  const { id, endpointId, status, attempt: attempts, error, responseStatus } = delivery;
  const result = attempts === 0 ? 'not attempted' : (error ?? `HTTP ${responseStatus}`);
  const count = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  const line = `${id}  ${styleStatus(output.style, status)}  ${count}  ${result}`;
  output.item({ id, endpointId, status, attempts, result }, () => line);
}

const POLL_INTERVAL_MS = 100;

/** Returns the deliveries that did not end before the timeout, and the number of deliveries that did not succeed. */
async function waitForEnds(
  look: () => Promise<WebhookDelivery[]>,
  ids: readonly string[],
  timeoutMs: number,
  onChange: (delivery: WebhookDelivery) => Promise<void>,
): Promise<{ left: ReadonlySet<string>; failed: number }> {
  const endsAt = performance.now() + timeoutMs;
  const left = new Set(ids);
  let failed = 0;
  while (left.size > 0) {
    for (const delivery of await look()) {
      const { id, status, attempt } = delivery;
      const isPending = status === 'pending';
      if (!left.has(id) || (isPending && attempt === 0)) continue;
      await onChange(delivery);
      if (isPending) continue;
      left.delete(id);
      if (status !== 'success') failed++;
    }
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) break;
    if (left.size > 0) await sleep(Math.min(POLL_INTERVAL_MS, leftMs));
  }
  return { left, failed };
}
