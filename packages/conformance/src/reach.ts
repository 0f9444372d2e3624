import type { Options } from './command-line.ts';
import { outsideTarget, type Workspace } from './outside.ts';
import { PATIENCE_MS } from './patience.ts';
import { EVERYTHING, type Target } from './target.ts';
import { UsageError } from './usage-error.ts';

/**
 * Checks the addresses and credentials before the run, because a wrong address or credential would make every statement
 * fail.
 */
export async function reach({ url, apiKey, token, control, adminToken }: Options): Promise<Target> {
  await ask(`${url}/v1/workspaces`);
  if (control !== undefined) {
    const clock = await ask(`${control}/clock`, adminToken);
    if (clock.status === 401 || clock.status === 403) {
      const advice = adminToken === undefined ? 'Pass the admin token with --admin-token.' : 'Check --admin-token.';
      throw new UsageError(`The control API rejected GET /clock (${clock.status}). ${advice}`);
    }
    if (clock.status !== 200) {
      throw new UsageError(
        `Cannot use the control API at ${control}: GET /clock responded with ${clock.status}. Check --control.`,
      );
    }
    return { name: url, baseUrl: url, controlUrl: control, offers: EVERYTHING, adminToken, fetch };
  }
  const workspace = await workspaceOf(url, String(apiKey));
  if (token !== undefined) {
    const { status } = await ask(`${url}/v1/workspaces/${workspace.id}`, token);
    if (status === 401) throw new UsageError('The service rejected the token (401). Check --token.');
    if (status !== 200)
      throw new UsageError(`The token cannot read the workspace of the API key: the service responded with ${status}.`);
  }
  return outsideTarget(url, { apiKey: String(apiKey), token }, workspace);
}

/** Finds the workspace of an API key by creating an endpoint, because the service document describes no simpler way. */
async function workspaceOf(url: string, apiKey: string): Promise<Workspace> {
  const endpoints = `${url}/v1/webhooks/endpoints`;
  const created = await ask(endpoints, apiKey, {
    method: 'POST',
    body: JSON.stringify({ url: 'https://receiver.test/', subscribedEvents: ['webhook.ping'] }),
  });
  if (created.status === 401) throw new UsageError('The service rejected the API key (401). Check --api-key.');
  const { id, workspaceId } = (await objectIn(created))['endpoint'] ?? {};
  if (created.status !== 201 || id === undefined || workspaceId === undefined) {
    const what = `POST /v1/webhooks/endpoints responded with ${created.status} and no endpoint`;
    throw new UsageError(
      `Cannot use the workspace of the API key: ${what}. Check that --url is the base address of the service.`,
    );
  }
  const deleted = await ask(`${endpoints}/${id}`, apiKey, { method: 'DELETE' });
  if (!deleted.ok) {
    throw new UsageError(
      `Delete the endpoint ${id}, which this check created: DELETE responded with ${deleted.status}.`,
    );
  }
  const retrieved = await ask(`${url}/v1/workspaces/${workspaceId}`, apiKey);
  const { workspace } = await objectIn(retrieved);
  if (workspace?.['id'] !== workspaceId) {
    throw new UsageError(`Cannot read the workspace of the API key: the service responded with ${retrieved.status}.`);
  }
  return workspace as unknown as Workspace;
}

async function ask(url: string, credential?: string, init: RequestInit = {}): Promise<Response> {
  const headers = {
    ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
    ...(init.body !== undefined && { 'content-type': 'application/json' }),
  };
  try {
    return await fetch(url, { ...init, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new UsageError(`Cannot reach ${url}: ${cause instanceof Error ? cause.message || cause : message}`);
  }
}

async function objectIn(response: Response): Promise<Record<string, Record<string, string> | undefined>> {
  const body: unknown = await response.json().catch(() => undefined);
  return typeof body === 'object' && body !== null ? (body as Record<string, Record<string, string>>) : {};
}
