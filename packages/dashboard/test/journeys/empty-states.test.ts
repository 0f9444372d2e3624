import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { executablePath } from '@svc/testing/browser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addEndpoint, cause, demo, type Journey, settle, startJourney } from './support/journey.ts';
import { type Receiver, startReceiver } from './support/receiver.ts';

const { production, staging } = demo;

describe.skipIf(!executablePath)('an empty list says why it is empty', () => {
  const cleanup = new AsyncDisposableStack();
  let journey: Journey;
  let receiver: Receiver;
  let used: string;
  let unused: string;
  beforeAll(async () => {
    receiver = cleanup.use(await startReceiver());
    journey = cleanup.use(await startJourney());
    used = (await addEndpoint(journey, receiver.url)).id;
    await cause(journey);
    await settle(journey);
    unused = (await addEndpoint(journey, `${receiver.url}/unused`)).id;
  });
  afterAll(() => cleanup.disposeAsync());

  const says = (text: string | RegExp) => journey.page.getByRole('heading', { name: text }).waitFor();

  test('the page of an endpoint without deliveries', async () => {
    await journey.open(`w/${production.id}/webhooks/${unused}`);
    await says(/^No deliveries to 127\.0\.0\.1:\d+\/hook\/unused yet$/);
  });

  test('a filter by such an endpoint, combined with another filter', async () => {
    await journey.open(`w/${production.id}/deliveries?endpointId=${unused}&status=failed`);
    await says(/^No deliveries to/);
  });

  test('a filter that matches none of the deliveries of an endpoint', async () => {
    await journey.open(`w/${production.id}/deliveries?endpointId=${used}&status=failed`);
    await says('No delivery matches');
    // No table without rows, and nothing to replay.
    expect(await journey.page.getByRole('table').count()).toBe(0);
    const replay = journey.page.getByRole('button', { name: 'Replay all matching' });
    expect(await replay.isDisabled()).toBe(true);
    await journey.page.getByRole('link', { name: 'Remove all filters' }).first().click();
    await journey.page.getByRole('row').nth(1).waitFor();
    await expect.poll(() => replay.isEnabled()).toBe(true);
  });

  test("a filter by another workspace's endpoint leads there", async () => {
    const { page } = journey;
    await journey.open(`w/${staging.id}/deliveries?endpointId=${used}`);
    await page.getByText(/This workspace has no endpoint whe_/).waitFor();
    await page.getByRole('button', { name: 'Search all workspaces' }).click();
    await page.getByText('belongs to Acme / Production').waitFor();
    await page.getByRole('link', { name: 'Show deliveries to the endpoint' }).click();
    await page.getByRole('row', { name: /lifecycle\.evaluated/ }).waitFor();
  });

  test('a filter by an endpoint that no workspace has', async () => {
    await journey.open(`w/${production.id}/deliveries?endpointId=whe_01M8000000000000000000NONE`);
    await says('No delivery matches');
    await journey.page.getByRole('button', { name: 'Search all workspaces' }).click();
    await journey.page.getByText('No workspace has the endpoint').waitFor();
    expect(journey.problems.splice(0)).toEqual([expect.stringContaining('404')]);
  });

  test.each([
    ['events?type=lifecycle.none', 'No event matches'],
    ['profiles?q=nobody', 'No profile matches'],
    ['requests?path=/v1/none', 'No request matches'],
  ])('%s: no table without rows', async (path, title) => {
    await journey.open(`w/${production.id}/${path}`);
    await says(title);
    expect(await journey.page.getByRole('table').count()).toBe(0);
  });

  test('a list that the service rejects is not called empty', async () => {
    const { page } = journey;
    await journey.open(`w/${production.id}/deliveries?status=lost`);
    await says('Cannot show this list');
    const replay = page.getByRole('button', { name: 'Replay all matching' });
    await expect.poll(() => replay.isEnabled()).toBe(true);
    expect(await replay.getAttribute('title')).toBeNull();
    // A change on the server reads the list again, also after this test, with the same result.
    const rejected = /status of 400 .*status=lost/;
    expect(journey.problems).toContainEqual(expect.stringMatching(rejected));
    journey.allow(rejected);
  });

  test('without events, the commands beside the button trigger some', async () => {
    const { page, call } = journey;
    await journey.open(`w/${staging.id}/events`);
    await says('No events yet');
    expect(await page.getByRole('table').count()).toBe(0);
    const shown = async (tool: string) => {
      await page.getByRole('button', { name: tool }).click();
      return (await page.getByRole('region', { name: `Trigger an event with ${tool}` }).textContent()) ?? '';
    };
    expect(await shown('svc-mock')).toContain(`--server ${journey.server.url}`);
    // The demo's key.
    await expect.poll(() => shown('@svc/client')).toContain(staging.key);
    await promisify(execFile)('sh', ['-c', await shown('curl')]);
    expect((await call('GET', '/v1/events', undefined, staging.key)).body.data).toHaveLength(1);
    await page.getByRole('row', { name: /lifecycle\.evaluated/ }).waitFor();
  });
});

test.skipIf(!executablePath)(
  'a workspace without a known key gets one on a click; the key works until it is revoked, and is not stored',
  async () => {
    await using journey = await startJourney();
    const { page, call } = journey;
    const { organizations } = { organizations: (await call('GET', '/_control/organizations')).body.data };
    const { workspace } = (
      await call('POST', '/_control/workspaces', { organizationId: organizations[0].id, name: 'New' })
    ).body;
    await journey.open(`w/${workspace.id}/api-keys`);
    await page.getByText('No API keys yet.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await journey.open(`w/${workspace.id}/events`);
    const putIn = page.getByRole('button', { name: 'Insert a new API key' });
    // The command for curl calls the control API, which needs no key.
    await page.getByRole('region', { name: 'Trigger an event with curl' }).waitFor();
    expect(await putIn.count()).toBe(0);
    await page.getByRole('button', { name: '@svc/client' }).click();
    const snippet = page.getByRole('region', { name: 'Trigger an event with @svc/client' });
    expect(await snippet.textContent()).toContain('svc_sk_…');
    await putIn.click();
    await expect.poll(() => snippet.textContent()).toMatch(/svc_sk_test_[\w-]/);
    const [key = ''] = /svc_sk_[\w-]+/.exec((await snippet.textContent()) ?? '') ?? [];
    expect((await call('GET', '/v1/me', undefined, key)).body.workspace.id).toBe(workspace.id);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]));
    expect(kept).not.toContain(key);
    const { data } = (await call('GET', `/_control/credentials?workspaceId=${workspace.id}`)).body;
    await call('DELETE', `/_control/credentials/${data[0].id}`);
    await expect.poll(() => snippet.textContent()).toContain('svc_sk_…');
  },
);
