import { setTimeout as sleep } from 'node:timers/promises';
import type { WebhookEndpoint } from '@svc/client';
import { Option } from 'commander';
import type { CommandSpec, GroupSpec } from '../command.ts';
import { confirmOrStop } from '../confirm.ts';
import type { CommandContext } from '../context.ts';
import { DidNotHappenError, UsageError } from '../exit-codes.ts';
import {
  allEventsOption,
  type Confirmable,
  durationMsOf,
  eventsOption,
  idOf,
  targetUrlOf,
  timeoutOption,
  workspaceOption,
  yesOption,
} from '../options.ts';
import { formatInstant } from '../output/output.ts';
import { styleStatus } from '../output/style.ts';

const list: CommandSpec = {
  usage: 'list',
  summary: 'list the endpoints of the workspace',
  examples: ['svc-mock endpoints list', 'svc-mock endpoints list --json'],
  options: [workspaceOption()],
  async run(context) {
    const { output } = context;
    const { data } = await (await context.api()).webhooks.endpoints.list();
    const nowMs = await context.now();
    const none = 'No endpoints. Create one with: svc-mock endpoints create <url>';
    output.list(data, none, (endpoint) => ({
      ID: endpoint.id,
      STATUS: styleStatus(output.style, activityOf(endpoint)),
      EVENTS: endpoint.subscribedEvents.join(','),
      URL: endpoint.url,
      CREATED: formatInstant(endpoint.createdAt, nowMs),
    }));
  },
};

const activityOf = ({ active }: WebhookEndpoint) => (active ? 'active' : 'inactive');

const show: CommandSpec = {
  usage: 'show <id>',
  summary: 'show an endpoint',
  examples: ['svc-mock endpoints show whe_…', 'svc-mock endpoints show whe_… --json'],
  options: [workspaceOption()],
  async run(context, [given = '']) {
    const id = idOf('webhookEndpoint', given);
    const endpoint = await (await context.api()).webhooks.endpoints.retrieve(id);
    await showEndpoint(context, endpoint, endpoint);
  },
};

const urlOption = () => new Option('--url <url>', 'the URL of the endpoint, if you do not pass it as an argument');

interface CreateOptions {
  url?: string;
  events: string[];
  description?: string;
}

const create: CommandSpec<CreateOptions> = {
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
  async run(context, [positional], { url: named, events, description }) {
    const url = endpointUrlOf(positional, named);
    if (url === undefined)
      throw new UsageError('Pass the URL of the endpoint, such as http://localhost:3000/webhooks.');
    const svc = await context.api();
    const created = await svc.webhooks.endpoints.create({ url, subscribedEvents: events, description });
    await showEndpoint(context, created, created.endpoint, created.secret.secret);
  },
};

interface UpdateOptions extends Partial<CreateOptions> {
  active?: 'true' | 'false';
}

const update: CommandSpec<UpdateOptions> = {
  usage: 'update <id> [url]',
  summary: 'change an endpoint; fields that you omit do not change',
  examples: [
    'svc-mock endpoints update whe_… http://localhost:4000/webhooks',
    'svc-mock endpoints update whe_… --events lifecycle.evaluated --active false',
  ],
  options: [
    urlOption(),
    eventsOption(),
    new Option('--description <text>', 'a note about the endpoint; an empty string removes the note'),
    new Option('--active <boolean>', 'whether the endpoint receives deliveries').choices(['true', 'false']),
    workspaceOption(),
  ],
  async run(context, [given = '', positional], { url: named, events, description, active }) {
    const id = idOf('webhookEndpoint', given);
    const url = endpointUrlOf(positional, named);
    const changes = {
      ...(url !== undefined && { url }),
      ...(events !== undefined && { subscribedEvents: events }),
      ...(description !== undefined && { description: description || null }),
      ...(active !== undefined && { active: active === 'true' }),
    };
    if (Object.keys(changes).length === 0) {
      throw new UsageError('Pass at least one change: a URL, --events, --description or --active.');
    }
    const endpoint = await (await context.api()).webhooks.endpoints.update(id, changes);
    await showEndpoint(context, endpoint, endpoint);
  },
};

const remove: CommandSpec<Confirmable> = {
  usage: 'delete <id>',
  summary: 'delete an endpoint permanently; its past deliveries are kept',
  examples: ['svc-mock endpoints delete whe_…', 'svc-mock endpoints delete whe_… --yes --json'],
  options: [workspaceOption(), yesOption()],
  async run(context, [given = ''], options) {
    const id = idOf('webhookEndpoint', given);
    const svc = await context.api();
    // The client's `delete` ignores a missing endpoint, so call `retrieve`, which reports a mistyped id.
    const { url } = await svc.webhooks.endpoints.retrieve(id);
    await confirmOrStop(context.output, `Delete ${id} (${url})?`, options, 'Nothing was deleted.');
    await svc.webhooks.endpoints.delete(id);
    context.output.result({ deleted: id }, () => `Deleted ${id}.`);
  },
};

const rotate: CommandSpec = {
  usage: 'rotate <id>',
  summary: 'rotate the signing secret; for 24 hours, deliveries are also signed with the previous secret',
  examples: ['svc-mock endpoints rotate whe_…', 'svc-mock endpoints rotate whe_… --json'],
  options: [workspaceOption()],
  async run(context, [given = '']) {
    const id = idOf('webhookEndpoint', given);
    const secret = await (await context.api()).webhooks.endpoints.rotateSecret(id);
    context.output.result(secret, () => [`New secret for ${id} (shown only once):`, secret.secret]);
  },
};

const test: CommandSpec<{ timeout: string }> = {
  usage: 'test <id>',
  summary: 'send a test ping to an endpoint, and wait for its response',
  examples: ['svc-mock endpoints test whe_…', 'svc-mock endpoints test whe_… --timeout 30s --json'],
  options: [timeoutOption('15s'), workspaceOption()],
  async run(context, [given = ''], { timeout }) {
    const id = idOf('webhookEndpoint', given);
    const timeoutMs = durationMsOf('--timeout', timeout);
    const { deliveryId } = await (await context.api()).webhooks.endpoints.sendTestEvent(id);
    const attempt = await firstAttempt(context, deliveryId, timeoutMs);
    const result = attempt?.error === null ? `HTTP ${attempt.response?.status}` : attempt?.error;
    context.output.result(
      { deliveryId, attempt: attempt ?? null },
      () => `${deliveryId}: ${attempt ? `${result} in ${attempt.responseTimeMs} ms` : 'no attempt yet'}`,
    );
    if (!attempt) throw new DidNotHappenError('The delivery was not attempted before the timeout.');
    if (attempt.error !== null) throw new DidNotHappenError(`The first attempt failed: ${attempt.error}.`);
  },
};

export const endpoints: GroupSpec = {
  name: 'endpoints',
  summary: 'list, show, create, update, delete, rotate or test endpoints',
  commands: [list, show, create, update, remove, rotate, test],
};

function endpointUrlOf(positional: string | undefined, named: string | undefined): string | undefined {
  if (positional !== undefined && named !== undefined) {
    throw new UsageError('Pass the URL once: as an argument, or with --url.');
  }
  const url = positional ?? named;
  return url === undefined ? undefined : targetUrlOf('The URL', url);
}

/** Prints the endpoint as a list of fields or, with `--json`, prints `value`. */
async function showEndpoint(
  { output, now }: CommandContext,
  value: object,
  endpoint: WebhookEndpoint,
  secret?: string,
): Promise<void> {
  const nowMs = await now();
  output.show(value, {
    ID: endpoint.id,
    URL: endpoint.url,
    Status: styleStatus(output.style, activityOf(endpoint)),
    Events: endpoint.subscribedEvents.join(', '),
    Description: endpoint.description ?? '',
    Created: formatInstant(endpoint.createdAt, nowMs),
    Updated: formatInstant(endpoint.updatedAt, nowMs),
    Secret: secret === undefined ? '' : `${secret}  (shown only once)`,
  });
}

const POLL_INTERVAL_MS = 100;

async function firstAttempt({ control }: CommandContext, deliveryId: string, timeoutMs: number) {
  const endsAt = performance.now() + timeoutMs;
  for (;;) {
    const { attempts } = await control.listAttempts({ deliveryId });
    if (attempts[0] || performance.now() >= endsAt) return attempts[0];
    await sleep(POLL_INTERVAL_MS);
  }
}
