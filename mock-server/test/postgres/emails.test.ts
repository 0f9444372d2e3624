import { describe, expect, test, vi } from 'vitest';
import { disableAnEndpoint, startMailServer } from '../support/http/mail.ts';
import { startFleet } from './support/fleet.ts';

describe('Three servers on one database', () => {
  test('send only one email for each notification', async () => {
    await using mail = await startMailServer();
    const smtp = `smtp://127.0.0.1:${mail.port}?from=svc@example.test`;
    await using fleet = await startFleet({ rateLimit: false, retryDelaysMs: [], smtp });
    const [first, second, third] = fleet.nodes;
    const endpoints = [];
    for (const node of [first, second, third, first]) endpoints.push(await disableAnEndpoint(node));
    const { data } = (await first.call('GET', '/_control/notifications')).body;
    expect(data).toHaveLength(3 * endpoints.length);
    await vi.waitFor(() => expect(mail.messages.length).toBeGreaterThanOrEqual(data.length));
    // Moving the clock makes each server look again, and none is due.
    for (const node of fleet.nodes) await node.call('POST', '/_control/clock', { body: { advance: '1h' } });
    const idOf = (text: string) => /<(ntf_\w+)@svc-mock>/.exec(text)?.[1];
    const sent = mail.messages.map(({ text }) => idOf(text)).sort();
    expect(sent).toEqual(data.map(({ id }: { id: string }) => id).sort());
  });
});
