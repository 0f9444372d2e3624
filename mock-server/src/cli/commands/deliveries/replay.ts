import type { Command } from 'commander';
import { checkEventType } from '../../check-event-type.ts';
import { addCommand } from '../../command.ts';
import { confirm } from '../../confirm.ts';
import type { Scope } from '../../context.ts';
import { DidNotHappenError, UsageError } from '../../exit.ts';
import { idOf } from '../../ids.ts';
import { yesOption } from '../../options.ts';
import { startProgress } from '../../output/progress.ts';
import { type DeliveryFilters, filterOptions, paramsOf } from './filters.ts';

/** The maximum number of deliveries that one command replays. */
const REPLAYED_MAX = 100_000;

interface Replayed {
  deliveryId: string;
  /** The new delivery, or null if it could not be replayed. */
  replayId: string | null;
  error: string | null;
}

/** `svc-mock deliveries replay` */
export function addDeliveriesReplay(parent: Command): void {
  addCommand<DeliveryFilters & { yes?: true }>(parent, {
    usage: 'replay [id]',
    summary: 'send a delivery again, or all deliveries that match the filters',
    examples: ['svc-mock deliveries replay whd_…', 'svc-mock deliveries replay --status failed --since 5d --yes'],
    options: [...filterOptions(), yesOption()],
    async run(context, [id], options) {
      const { output } = context;
      const svc = await context.api(options.workspace);
      const params = await paramsOf(context, options);
      if ((id === undefined) === (Object.keys(params).length === 0)) {
        throw new UsageError(
          'Pass a delivery id, or choose several deliveries with --status, --endpoint, --type, --since or --until.',
        );
      }
      if (id !== undefined) {
        const replay = await svc.webhooks.deliveries.replay(idOf('webhookDelivery', id));
        const replayed: Replayed = { deliveryId: id, replayId: replay.id, error: null };
        return output.result(replayed, () => `Replaying ${id} as ${replay.id}.`);
      }
      const found = await svc.webhooks.deliveries.list(params).collect({ limit: REPLAYED_MAX });
      if (found.length === 0) await checkEventType(svc, options.type);
      const count = found.length === 1 ? '1 delivery' : `${found.length} deliveries`;
      if (found.length > 0 && !(await confirm(output, `Replay ${count}?`, options))) {
        throw new DidNotHappenError('Nothing was replayed.');
      }
      const replayed = await replayAll(
        context.output,
        svc,
        found.map((delivery) => delivery.id),
      );
      const failed = replayed.filter(({ error }) => error !== null);
      output.result({ replayed: replayed.length - failed.length, failed: failed.length, deliveries: replayed }, () => [
        `Replayed ${replayed.length - failed.length} of ${count}.`,
        ...failed.map(({ deliveryId, error }) => `${deliveryId}: ${error}`),
      ]);
      if (failed.length > 0) throw new DidNotHappenError(`${failed.length} of ${count} could not be replayed.`);
    },
  });
}

async function replayAll(
  output: Parameters<typeof startProgress>[0],
  svc: Scope,
  ids: readonly `whd_${string}`[],
): Promise<Replayed[]> {
  const replayed: Replayed[] = [];
  using progress = startProgress(output, 'Replaying', ids.length);
  // Oldest first, in the order in which they were created.
  for (const deliveryId of ids.toReversed()) {
    try {
      const replay = await svc.webhooks.deliveries.replay(deliveryId);
      replayed.push({ deliveryId, replayId: replay.id, error: null });
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CONFLICT') throw error;
      replayed.push({ deliveryId, replayId: null, error: (error as Error).message });
    }
    progress.update(replayed.length, `${replayed.length}/${ids.length}`);
  }
  return replayed;
}
