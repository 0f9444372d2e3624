import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { allEventsOption, workspaceOption } from '../../options.ts';
import { targetUrlOf } from '../../target-url.ts';
import { showEndpoint } from './show-endpoint.ts';

/** `svc-mock endpoints create` */
export function addEndpointsCreate(parent: Command): void {
  addCommand<{ workspace?: string; events: string[]; description?: string }>(parent, {
    usage: 'create <url>',
    summary: 'register an endpoint, and print its signing secret',
    examples: [
      'svc-mock endpoints create http://localhost:3000/webhooks',
      "svc-mock endpoints create http://localhost:3000/webhooks --events 'lifecycle.*,webhook.ping' --json",
    ],
    options: [allEventsOption(), new Option('--description <text>', 'a note about it'), workspaceOption()],
    async run(session, [url = ''], { workspace, events, description }) {
      const svc = await session.api(workspace);
      const created = await svc.webhooks.endpoints.create({
        url: targetUrlOf('The URL', url),
        subscribedEvents: events,
        description,
      });
      const nowMs = await session.now();
      session.output.result(created, () =>
        showEndpoint(session.output, created.endpoint, nowMs, created.secret.secret),
      );
    },
  });
}
