import { type Command, Option } from 'commander';
import { addCommand } from '../../command.ts';
import { UsageError } from '../../exit.ts';
import { idOf } from '../../ids.ts';
import { eventsOption, workspaceOption } from '../../options.ts';
import { showEndpoint } from './show-endpoint.ts';
import { endpointUrlOf, urlOption } from './url.ts';

interface UpdateOptions {
  workspace?: string;
  url?: string;
  events?: string[];
  description?: string;
  active?: 'true' | 'false';
}

/** `svc-mock endpoints update` */
export function addEndpointsUpdate(parent: Command): void {
  addCommand<UpdateOptions>(parent, {
    usage: 'update <id> [url]',
    summary: 'change an endpoint; fields that you omit do not change',
    examples: [
      'svc-mock endpoints update whe_… http://localhost:4000/webhooks',
      'svc-mock endpoints update whe_… --events lifecycle.evaluated --active false',
    ],
    options: [
      urlOption(),
      eventsOption(),
      new Option('--description <text>', 'a note about the endpoint; an empty string removes it'),
      new Option('--active <boolean>', 'whether the endpoint gets deliveries').choices(['true', 'false']),
      workspaceOption(),
    ],
    async run(context, [given = '', positional], { workspace, url: named, events, description, active }) {
      const id = idOf('webhookEndpoint', given);
      const url = endpointUrlOf(positional, named);
      const changes = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { subscribedEvents: events }),
        ...(description !== undefined && { description: description || null }),
        ...(active !== undefined && { active: active === 'true' }),
      };
      if (Object.keys(changes).length === 0) {
        throw new UsageError('Pass what to change: a URL, --events, --description or --active.');
      }
      const endpoint = await (await context.api(workspace)).webhooks.endpoints.update(id, changes);
      const nowMs = await context.now();
      context.output.result(endpoint, () => showEndpoint(context.output, endpoint, nowMs));
    },
  });
}
