import { insertEndpoint, insertSecret, updateEndpoint } from '../src/storage/changes/endpoints.ts';
import type { Queries } from '../src/storage/port.ts';
import type { EndpointTable } from '../src/storage/schema/webhooks.ts';
import { insertOrganization } from '../src/storage/statements/organizations.ts';
import { insertWorkspace } from '../src/storage/statements/workspaces.ts';
import { wipe } from '../src/storage/wipe.ts';
import { ENDPOINTS_MAX, SECRETS } from './database.ts';
import type { Nodes } from './nodes.ts';
import type { Simulation } from './simulation.ts';
import { inTransaction } from './store.ts';

export const WORKSPACES = ['wsp_1', 'wsp_2'];

/**
 * The previous secret still signs for at least this long after a rotation. By the end of this time, every node knows
 * the new secret.
 */
const OVERLAP_MIN_MS = 3_000;

interface SimulatedEndpoint {
  id: string;
  workspaceId: string;
  isActive: boolean;
}

export class Endpoints {
  readonly #simulation: Simulation;
  readonly #nodes: Nodes;
  #present: SimulatedEndpoint[] = [];
  #secrets = 0;

  constructor(simulation: Simulation, nodes: Nodes) {
    this.#simulation = simulation;
    this.#nodes = nodes;
  }

  #pick = () => this.#simulation.random.pick(this.#present) as SimulatedEndpoint | undefined;

  changeMood(): void {
    const endpoint = this.#pick();
    if (endpoint) this.#simulation.receivers.changeMood(endpoint.id);
  }

  /** Pauses or resumes an endpoint. `onResumed` is called if the endpoint is resumed immediately after a pause. */
  async switch(onResumed: () => Promise<void>): Promise<void> {
    const { random, scheduler } = this.#simulation;
    const endpoint = this.#pick();
    if (!endpoint) return;
    await this.#update(endpoint, { active: !endpoint.isActive });
    if (endpoint.isActive || !random.chance(0.5)) return;
    // Resume the endpoint while the nodes are still processing the pause.
    scheduler.after(random.integer(100), undefined, async () => {
      if (!this.#present.includes(endpoint)) return;
      await this.#update(endpoint, { active: true });
      await onResumed();
    });
  }

  async change(): Promise<void> {
    const endpoint = this.#pick();
    if (endpoint)
      await this.#update(endpoint, { url: `https://receiver.test/${this.#simulation.random.integer(1_000)}` });
  }

  async delete(): Promise<void> {
    const { database, trace } = this.#simulation;
    const endpoint = this.#pick();
    if (!endpoint || this.#present.length === 1) return;
    this.#present = this.#present.filter((other) => other !== endpoint);
    trace(`${endpoint.id} is deleted`);
    await database.queries.deleteFrom('webhook_endpoints').where('id', '=', endpoint.id).execute();
    this.#nodes.tellOfEndpoint(endpoint.id);
  }

  async rotateSecret(): Promise<void> {
    const { database, random, trace } = this.#simulation;
    const endpoint = this.#pick();
    const secret = SECRETS[this.#secrets];
    if (!endpoint || !secret) return;
    this.#secrets++;
    const now = this.#nodes.clockNow();
    const previousExpiresAt = now + OVERLAP_MIN_MS + random.integer(10_000);
    trace(`${endpoint.id} gets the secret ${secret.id}; its previous secret signs for ${previousExpiresAt - now} ms`);
    await inTransaction(database, (queries) => insertSecret(queries, endpoint.id, secret, { now, previousExpiresAt }));
    this.#nodes.tellOfEndpoint(endpoint.id);
  }

  async replaceAll(): Promise<void> {
    const { database, random, ids, receivers } = this.#simulation;
    const at = this.#nodes.clockNow();
    await inTransaction(database, async (queries) => {
      await wipe(queries);
      await insertWorkspaces(queries, at);
      this.#present = [];
      const endpoints = 1 + random.integer(ENDPOINTS_MAX);
      for (let index = 0; index < endpoints; index++) {
        const id = ids.next('webhookEndpoint');
        const workspaceId = random.pick(WORKSPACES);
        await insertEndpoint(queries, endpointRow(id, workspaceId, at), ENDPOINTS_MAX);
        const secret = SECRETS[index] as (typeof SECRETS)[number];
        await insertSecret(queries, id, secret, { now: at, previousExpiresAt: at });
        this.#present.push({ id, workspaceId, isActive: true });
        receivers.changeMood(id);
      }
      this.#secrets = Math.max(this.#secrets, ENDPOINTS_MAX);
    });
  }

  /** Copies the endpoints. The returned function restores the copy. */
  copy(): () => void {
    const present = this.#present.map((endpoint) => ({ ...endpoint }));
    return () => {
      this.#present = present;
    };
  }

  async #update(endpoint: SimulatedEndpoint, change: { active: boolean } | { url: string }): Promise<void> {
    const { database, trace } = this.#simulation;
    const { id, workspaceId } = endpoint;
    trace(`${id} changes: ${JSON.stringify(change)}`);
    await updateEndpoint(database.queries, { workspaceId, id }, change, this.#nodes.clockNow());
    if ('active' in change) endpoint.isActive = change.active;
    this.#nodes.tellOfEndpoint(id);
  }
}

async function insertWorkspaces(queries: Queries, at: number): Promise<void> {
  const organization = { id: 'org_1', slug: 'acme', name: 'Acme', logo: null, created_at: at };
  await insertOrganization(queries, organization);
  for (const id of WORKSPACES) {
    const names = { id, organization_id: 'org_1', slug: id, name: id, image: null, timezone: null };
    await insertWorkspace(queries, { ...names, week_starts_on: null, created_at: at, updated_at: at });
  }
}

const endpointRow = (id: string, workspaceId: string, at: number): EndpointTable => ({
  id,
  workspace_id: workspaceId,
  url: 'https://receiver.test/0',
  description: null,
  subscribed_events: '["*"]',
  active: 1,
  api_version: 'latest',
  consecutive_failures: 0,
  disabled_at: null,
  created_at: at,
  updated_at: at,
});
