import type { Event } from '@svc/client';
import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { idOf } from '../../ids.ts';
import { workspaceOption } from '../../options.ts';
import { inBlocks } from '../../output/output.ts';
import { styleStatus } from '../../output/style.ts';
import { formatInstant } from '../../output/times.ts';

/** `svc-mock events show` */
export function addEventsShow(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'show <id>',
    summary: 'show an event, and the status of its deliveries',
    examples: ['svc-mock events show evt_…', 'svc-mock events show evt_… --json'],
    options: [workspaceOption()],
    async run(context, [given = ''], { workspace }) {
      const { output, control } = context;
      const id = idOf('event', given);
      const event = await (await context.api(workspace)).events.retrieve(id);
      if (output.json) return output.result(event, () => []);
      const [{ deliveries }, nowMs] = await Promise.all([
        control.listDeliveriesOfEvent({ eventId: id }),
        context.now(),
      ]);
      output.result(event, () =>
        inBlocks(
          output.fields([
            ['ID', event.id],
            ['Type', event.type],
            ['Subject', event.subject ? `${event.subject.type}  ${event.subject.id}` : 'none'],
            ['Created', formatInstant(event.created, nowMs)],
          ]),
          othersOf(event),
          deliveries.length === 0
            ? 'No endpoint subscribed to this event, so it has no deliveries.'
            : output.table(
                ['DELIVERY', 'ENDPOINT', 'STATUS', 'ATTEMPT', 'CREATED'],
                deliveries.map(({ id, endpointId, status, attempt, createdAt }) => [
                  id,
                  endpointId,
                  styleStatus(output.style, status),
                  String(attempt),
                  formatInstant(createdAt, nowMs),
                ]),
              ),
        ),
      );
    },
  });
}

const SHOWN = new Set(['id', 'type', 'subject', 'created', 'object']);

/** The event's other fields, as JSON. */
function othersOf(event: Event): string[] {
  const others = Object.fromEntries(Object.entries(event).filter(([name]) => !SHOWN.has(name)));
  return Object.keys(others).length === 0 ? [] : ['More:', ...JSON.stringify(others, null, 2).split('\n')];
}
