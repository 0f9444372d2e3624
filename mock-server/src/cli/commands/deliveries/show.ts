import type { LoggedAttempt } from '@svc/contract/control/resources';
import type { CommandSpec } from '../../command.ts';
import { idOf } from '../../ids.ts';
import { type InWorkspace, workspaceOption } from '../../options.ts';
import { inBlocks, type Output } from '../../output/output.ts';
import { styleStatus } from '../../output/style.ts';
import { formatInstant } from '../../output/times.ts';
import { asCurl } from './as-curl.ts';

export const show: CommandSpec<InWorkspace> = {
  usage: 'show <id>',
  summary: 'show a delivery: its attempts, its request as a curl command, and the reason for its state',
  examples: ['svc-mock deliveries show whd_…', 'svc-mock deliveries show whd_… --json'],
  options: [workspaceOption()],
  async run(context, [given = ''], { workspace }) {
    const { output, control } = context;
    const id = idOf('webhookDelivery', given);
    const svc = await context.api(workspace);
    const delivery = await svc.webhooks.deliveries.retrieve(id);
    const [{ attempts }, { explanation }, event, nowMs] = await Promise.all([
      control.listAttempts({ deliveryId: id }),
      control.explainDelivery({ deliveryId: id }),
      svc.events.retrieve(delivery.eventId),
      context.now(),
    ]);
    const last = attempts.at(-1);
    const curl = last ? asCurl(last.request, JSON.stringify(event)) : null;
    output.result({ delivery, attempts, explanation, curl }, () =>
      inBlocks(
        output.fields([
          ['ID', delivery.id],
          ['Event', `${delivery.eventType}  ${delivery.eventId}`],
          ['Endpoint', delivery.endpointId],
          ['Status', styleStatus(output.style, delivery.status)],
          ['Created', formatInstant(delivery.createdAt, nowMs)],
          ['Delivered', formatInstant(delivery.deliveredAt, nowMs)],
          ['Next attempt', formatInstant(delivery.nextAttemptAt, nowMs)],
        ]),
        explanation.sentence,
        attempts.length > 0 ? attemptsTable(output, attempts, nowMs) : [],
        curl === null ? [] : ['The last request, as a curl command:', ...curl.split('\n')],
      ),
    );
  },
};

const attemptsTable = (output: Output, attempts: readonly LoggedAttempt[], nowMs: number) =>
  output.table(
    ['ATTEMPT', 'RESULT', 'TOOK', 'STARTED', 'RESPONSE'],
    attempts.map(({ number, response, error, responseTimeMs, startedAt, late }) => [
      String(number),
      `${error === null ? output.style.green(`HTTP ${response?.status}`) : output.style.red(error)}${late ? ' (late)' : ''}`,
      `${responseTimeMs} ms`,
      formatInstant(startedAt, nowMs),
      shorten(response?.body ?? ''),
    ]),
  );

const shorten = (body: string) => {
  const line = body.replaceAll(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 60)}…` : line;
};
