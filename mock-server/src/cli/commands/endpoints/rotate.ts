import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { idOf } from '../../ids.ts';
import { workspaceOption } from '../../options.ts';

/** `svc-mock endpoints rotate` */
export function addEndpointsRotate(parent: Command): void {
  addCommand<{ workspace?: string }>(parent, {
    usage: 'rotate <id>',
    summary: 'rotate the signing secret; the previous secret keeps signing for 24 hours',
    examples: ['svc-mock endpoints rotate whe_…', 'svc-mock endpoints rotate whe_… --json'],
    options: [workspaceOption()],
    async run(context, [given = ''], { workspace }) {
      const id = idOf('webhookEndpoint', given);
      const secret = await (await context.api(workspace)).webhooks.endpoints.rotateSecret(id);
      context.output.result(secret, () => [`New secret for ${id} (shown only once):`, secret.secret]);
    },
  });
}
