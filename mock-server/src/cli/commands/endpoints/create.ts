import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { UsageError } from '../../exit.ts';
import { allEventsOption, workspaceOption } from '../../options.ts';
import { showEndpoint } from './show-endpoint.ts';
import { endpointUrlOf, urlOption } from './url.ts';

/** `svc-mock endpoints create` */
export function addEndpointsCreate(parent: Command): void {
  addCommand<{ workspace?: string; url?: string; events: string[]; description?: string }>(parent, {
    usage: 'create [url]',
    summary: 'register an endpoint, and print its signing secret',
    examples: [
      'svc-mock endpoints create http://localhost:3000/webhooks',
      "svc-mock endpoints create http://localhost:3000/webhooks --events 'lifecycle.*,webhook.ping' --json",
    ],
    options: [
      urlOption(),
      allEventsOption(),
      new Option('--description <text>', 'a note about the endpoint'),
      workspaceOption(),
    ],
    async run(context, [positional], { workspace, url: named, events, description }) {
      const url = endpointUrlOf(positional, named);
      if (url === undefined)
        throw new UsageError('Pass the URL of the endpoint, such as http://localhost:3000/webhooks.');
      const svc = await context.api(workspace);
      const created = await svc.webhooks.endpoints.create({
        url,
        subscribedEvents: events,
        description,
      });
      const nowMs = await context.now();
      context.output.result(created, () =>
        showEndpoint(context.output, created.endpoint, nowMs, created.secret.secret),
      );
    },
  });
}
