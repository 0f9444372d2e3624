import type { Command } from 'commander';
import { addCommand } from '../../command.ts';
import { durationMsOf } from '../../durations.ts';
import { idOf } from '../../ids.ts';
import { timeoutOption, workspaceOption } from '../../options.ts';
import { waitForOne } from '../../wait-for-one.ts';

/** `svc-mock endpoints test` */
export function addEndpointsTest(parent: Command): void {
  addCommand<{ workspace?: string; timeout: string }>(parent, {
    usage: 'test <id>',
    summary: 'send a test ping to an endpoint, and wait for its response',
    examples: ['svc-mock endpoints test whe_…', 'svc-mock endpoints test whe_… --timeout 30s --json'],
    options: [timeoutOption('15s'), workspaceOption()],
    async run(context, [given = ''], { workspace, timeout }) {
      const id = idOf('webhookEndpoint', given);
      const timeoutMs = durationMsOf('--timeout', timeout);
      const { deliveryId } = await (await context.api(workspace)).webhooks.endpoints.sendTestEvent(id);
      await waitForOne(context, deliveryId, timeoutMs);
    },
  });
}
