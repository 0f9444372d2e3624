import type { Event } from '@svc/client';
import { Option } from 'commander';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { checkEventType, idOf, limitOption, workspaceOption } from '../options.ts';
import { formatInstant } from '../output/output.ts';
import { styleStatus } from '../output/style.ts';

const list: CommandSpec<{ type?: string; subject?: string; limit: number }> = {
  usage: 'list',
  summary: 'list events, newest first',
  examples: ['svc-mock events list', 'svc-mock events list --type lifecycle.evaluated --limit 5 --json'],
  options: [
    new Option('--type <type>', 'events of this type'),
    new Option('--subject <id>', 'events about this resource'),
    limitOption(),
    workspaceOption(),
  ],
  async run(context, _args, { type, subject, limit }) {
    const svc = await context.api();
    const found = await svc.events.list({ type, subjectId: subject }).collect({ limit });
    if (found.length === 0) await checkEventType(svc, type);
    const nowMs = await context.now();
    context.output.list(found, 'No events.', (event) => ({
      ID: event.id,
      TYPE: event.type,
      SUBJECT: event.subject === undefined ? '' : `${event.subject.type}:${event.subject.id}`,
      CREATED: formatInstant(event.created, nowMs),
    }));
  },
};

const show: CommandSpec = {
  usage: 'show <id>',
  summary: 'show an event, and the status of its deliveries',
  examples: ['svc-mock events show evt_…', 'svc-mock events show evt_… --json'],
  options: [workspaceOption()],
  async run(context, [given = '']) {
    const { output, control } = context;
    const id = idOf('event', given);
    const event = await (await context.api()).events.retrieve(id);
    if (output.json) return output.result(event, () => []);
    const [{ deliveries }, nowMs] = await Promise.all([control.listDeliveriesOfEvent({ eventId: id }), context.now()]);
    output.blocks(event, () => [
      output.fields({
        ID: event.id,
        Type: event.type,
        Subject: event.subject ? `${event.subject.type}  ${event.subject.id}` : 'none',
        Created: formatInstant(event.created, nowMs),
      }),
      othersOf(event),
      deliveries.length === 0
        ? 'No endpoint subscribed to this event, so the event has no deliveries.'
        : output.tableOf(deliveries, (delivery) => ({
            DELIVERY: delivery.id,
            ENDPOINT: delivery.endpointId,
            STATUS: styleStatus(output.style, delivery.status),
            ATTEMPT: String(delivery.attempt),
            CREATED: formatInstant(delivery.createdAt, nowMs),
          })),
    ]);
  },
};

export const events: GroupSpec = { name: 'events', summary: 'list or show events', commands: [list, show] };

const SHOWN = new Set(['id', 'type', 'subject', 'created', 'object']);

function othersOf(event: Event): string[] {
  const others = Object.fromEntries(Object.entries(event).filter(([name]) => !SHOWN.has(name)));
  return Object.keys(others).length === 0 ? [] : ['More:', ...JSON.stringify(others, null, 2).split('\n')];
}
