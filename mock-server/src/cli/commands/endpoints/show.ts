import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { idOf } from '../../ids.ts';
import { workspaceOption } from '../../options.ts';
import { showEndpoint } from './show-endpoint.ts';

/** `svc-mock endpoints show` */
export function addEndpointsShow(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'show <id>',
    summary: 'show an endpoint',
    examples: ['svc-mock endpoints show whe_…', 'svc-mock endpoints show whe_… --json'],
    options: [workspaceOption()],
    async run(context, [given = ''], { workspace }) {
      const id = idOf('webhookEndpoint', given);
      const endpoint = await (await context.api(workspace)).webhooks.endpoints.retrieve(id);
      const nowMs = await context.now();
      context.output.result(endpoint, () => showEndpoint(context.output, endpoint, nowMs));
    },
  });
}
