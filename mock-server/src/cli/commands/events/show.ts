import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { workspaceOption } from '../../options.ts';

/** `svc-mock events show` */
export function addEventsShow(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'show <id>',
    summary: 'show an event, as it is delivered',
    examples: ['svc-mock events show evt_…', 'svc-mock events show evt_… --json'],
    options: [workspaceOption()],
    async run(session, [id = ''], { workspace }) {
      const event = await (await session.api(workspace)).events.retrieve(id);
      session.output.result(event, () => JSON.stringify(event, null, 2).split('\n'));
    },
  });
}
