import { type Command, Option } from 'commander';
import { checkEventType } from '../../check-event-type.ts';
import { addCommand } from '../../command.ts';
import { limitOption, workspaceOption } from '../../options.ts';
import { formatInstant } from '../../output/times.ts';

/** `svc-mock events list` */
export function addEventsList(parent: Command): void {
  addCommand<{ workspace?: string; type?: string; subject?: string; limit: number }>(parent, {
    usage: 'list',
    summary: 'list events, newest first',
    examples: ['svc-mock events list', 'svc-mock events list --type lifecycle.evaluated --limit 5 --json'],
    options: [
      new Option('--type <type>', 'events of this type'),
      new Option('--subject <id>', 'events about this resource'),
      limitOption(),
      workspaceOption(),
    ],
    async run(context, _args, { workspace, type, subject, limit }) {
      const { output } = context;
      const svc = await context.api(workspace);
      const found = await svc.events.list({ type, subjectId: subject }).collect({ limit });
      if (found.length === 0) await checkEventType(svc, type);
      const nowMs = await context.now();
      output.result(found, () =>
        found.length === 0
          ? 'No events.'
          : output.table(
              ['ID', 'TYPE', 'SUBJECT', 'CREATED'],
              found.map((event) => [
                event.id,
                event.type,
                event.subject === undefined ? '' : `${event.subject.type}:${event.subject.id}`,
                formatInstant(event.created, nowMs),
              ]),
            ),
      );
    },
  });
}
