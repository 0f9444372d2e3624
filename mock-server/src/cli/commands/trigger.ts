import { setTimeout as sleep } from 'node:timers/promises';
import type { NewEventInput, TriggeredEvent } from '@svc/contract/control/resources';
import { Option } from 'commander';
import { wholeNumber } from '../../config/option-values.ts';
import { compactDuration, formatDuration, timeToNextAttemptMs } from '../../domain/duration.ts';
import { subjectProblem } from '../../domain/event-subject.ts';
import type { CommandSpec } from '../command.ts';
import type { CommandContext } from '../context.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import { durationMsOf, type InWorkspace, lifecycleWorkspaceOption, timeoutOption, workspaceIdOf } from '../options.ts';
import { styleStatus } from '../output/style.ts';

const EVENTS_PER_CALL = 1_000;

interface TriggerOptions extends InWorkspace {
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
    lifecycleWorkspaceOption(),
    new Option('--subject <type:id>', 'the subject of the events (default for lifecycle.evaluated: the workspace)'),
    new Option('--times <n>', 'how many events').default(1).argParser(wholeNumber(1, 100_000)),
    new Option('--wait', 'wait for the deliveries to end, and show each attempt'),
    timeoutOption('1m'),
  ],
  async run(context, [type = ''], { workspace, subject: given, times, wait, timeout }) {
    const { output } = context;
    const timeoutMs = durationMsOf('--timeout', timeout);
    const subject = given === undefined ? undefined : subjectOf(given);
    const problem = subjectProblem(type, subject, (example) => `${example.type}:${example.id}`);
    if (problem !== undefined) throw new UsageError(`--subject ${problem}.`);
    const workspaceId = await workspaceIdOf(context, workspace);
    const event = { workspaceId, type, ...(subject && { subject }) };
    const triggered = await triggerAll(context, event, times);
    if (!wait) {
      return output.result(times === 1 ? triggered[0] : { events: triggered }, () => describe(triggered, type));
    }
    // Standard error stays free for the one line that says why the command failed.
    output.line(describe(triggered, type));
    const ids = triggered.flatMap(({ deliveries }) => deliveries.map(({ id }) => id));
    let isHinted = false;
    const ended = await waitForEnds(context, ids, timeoutMs, async (one) => {
      output.item(one, () => lineOf(context, one));
      if (isHinted || one.status !== 'pending') return;
      isHinted = true;
      const hint = await hintOf(context, one.id);
      if (hint) output.line(hint);
    });
    const wrong = ended.filter(({ status }) => status !== 'success').length;
    const open = ids.length - ended.length;
    if (open > 0) {
      const endedIds = new Set(ended.map(({ id }) => id));
      const next = ids.find((id) => !endedIds.has(id)) ?? '';
      const hint =
        (await hintOf(context, next)) ?? `To see why the delivery has not ended: svc-mock deliveries show ${next}`;
      throw new DidNotHappenError(
        `Timed out after ${timeout}: ${open} of ${ids.length} deliveries had not ended. ${hint}`,
      );
    }
    if (wrong > 0) throw new DidNotHappenError(`${wrong} of ${ids.length} deliveries did not succeed.`);
  },
};

/** `undefined` if the next attempt is already due, or if no attempt is planned. */
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
  while (triggered.length < times) {
    const events = Array.from({ length: Math.min(EVENTS_PER_CALL, times - triggered.length) }, () => event);
    const created = (await control.createEvents({ events })).events;
    if (created.length === 0)
      throw new DidNotHappenError('The server created no events. Is --server the URL of svc-mock?');
    triggered.push(...created);
  }
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

function lineOf({ output: { style } }: CommandContext, { id, status, attempts, result }: SeenChange): string {
  return `${id}  ${styleStatus(style, status)}  ${attempts === 1 ? '1 attempt' : `${attempts} attempts`}  ${result}`;
}

const LOOK_INTERVAL_MS = 100;
const AT_ONCE_MAX = 20;

interface SeenChange {
  id: string;
  endpointId: string;
  status: string;
  attempts: number;
  result: string;
}

/** Returns the deliveries that ended before the timeout. */
async function waitForEnds(
  { control }: CommandContext,
  ids: readonly string[],
  timeoutMs: number,
  onChange: (change: SeenChange) => Promise<void>,
): Promise<SeenChange[]> {
  const endsAt = performance.now() + timeoutMs;
  /** The last known state of each delivery that has not ended. */
  const left = new Map(ids.map((id) => [id, 'pending 0']));
  const ended: SeenChange[] = [];

  async function look(id: string): Promise<void> {
    const { explanation } = await control.explainDelivery({ deliveryId: id });
    const { attempts } = await control.listAttempts({ deliveryId: id });
    const { status, attempt, endpoint } = explanation;
    const state = `${status} ${attempt}`;
    const isChanged = left.get(id) !== state;
    // Move the delivery to the end, so that each delivery gets a turn even if the first ones wait for their retries.
    left.delete(id);
    if (status === 'pending') left.set(id, state);
    if (!isChanged) return;
    const last = attempts.at(-1);
    const result = last === undefined ? 'not attempted' : (last.error ?? `HTTP ${last.response?.status}`);
    const change = { id, endpointId: endpoint.id, status, attempts: attempt, result };
    await onChange(change);
    if (status !== 'pending') ended.push(change);
  }

  while (left.size > 0) {
    await Promise.all([...left.keys()].slice(0, AT_ONCE_MAX).map(look));
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) break;
    if (left.size > 0) await sleep(Math.min(LOOK_INTERVAL_MS, leftMs));
  }
  return ended;
}
