import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { workspaceOption } from '../../options.ts';
import { styleStatus } from '../../output/style.ts';
import { formatInstant } from '../../output/times.ts';
import { activityOf } from './show-endpoint.ts';

/** `svc-mock endpoints list` */
export function addEndpointsList(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'list',
    summary: 'list the endpoints of the workspace',
    examples: ['svc-mock endpoints list', 'svc-mock endpoints list --json'],
    options: [workspaceOption()],
    async run(context, _args, { workspace }) {
      const { output } = context;
      const { data } = await (await context.api(workspace)).webhooks.endpoints.list();
      const nowMs = await context.now();
      output.result(data, () =>
        data.length === 0
          ? 'No endpoints. Create one with: svc-mock endpoints create <url>'
          : output.table(
              ['ID', 'STATUS', 'EVENTS', 'URL', 'CREATED'],
              data.map((endpoint) => [
                endpoint.id,
                styleStatus(output.style, activityOf(endpoint)),
                endpoint.subscribedEvents.join(','),
                endpoint.url,
                formatInstant(endpoint.createdAt, nowMs),
              ]),
            ),
      );
    },
  });
}
