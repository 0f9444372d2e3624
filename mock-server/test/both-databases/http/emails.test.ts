import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@svc/testing';
import { describe, expect, test, vi } from 'vitest';
import { ConfigError, startServer } from '../../../src/index.ts';
import { startApi, TEST_MASTER_KEY, type TestApi } from '../../support/api.ts';
import { createTestDatabase, onPostgres } from '../../support/database.ts';
import { demo } from '../../support/demo.ts';
import { disableAnEndpoint, type Message, startMailServer } from '../../support/http/mail.ts';

const notificationsOf = async (api: TestApi) => (await api.call('GET', '/_control/notifications')).body.data;
const EMAILS = ['adam@acme.test', 'olivia@acme.test', 'vera@acme.test'];
const receivers = (messages: Message[]) => messages.flatMap(({ to }) => to).sort();
/** Long lines are broken in a quoted-printable email. */
const unfolded = (text: string) => text.replaceAll('=\r\n', '');
const options = { rateLimit: false, retryDelaysMs: [] };

describe('A notification', () => {
  test('is sent by email, once to each user, as text and as HTML', async () => {
    await using mail = await startMailServer();
    await using api = await startApi({ ...options, smtp: `smtp://127.0.0.1:${mail.port}?from=svc@example.test` });
    const endpointId = await disableAnEndpoint(api);
    await vi.waitFor(() => expect(mail.messages).toHaveLength(3));
    expect(receivers(mail.messages)).toEqual(EMAILS);
    const notifications = await notificationsOf(api);
    expect(notifications).toHaveLength(3);
    for (const notification of notifications) {
      expect(notification).toMatchObject({ endpointId, type: 'webhook.endpoint.auto_disabled', readAt: null });
      const [message] = mail.messages.filter(({ text }) => text.includes(`<${notification.id}@svc-mock>`));
      expect(message?.from).toBe('svc@example.test');
      expect(message?.text).toContain('Subject: Webhook endpoint disabled in Production');
      expect(message?.text).toContain('Content-Type: text/plain');
      const html = message?.text.split('Content-Type: text/html')[1];
      expect(html).toContain('http://127.0.0.1:9/&lt;b&gt;');
      expect(html).not.toContain('<b>');
    }
    // Moving the clock sends nothing more.
    await api.call('POST', '/_control/clock', { body: { advance: '10d' } });
    expect(mail.messages).toHaveLength(3);
    const metrics = await (await fetch(`${api.server.url}/metrics`)).text();
    expect(metrics).toContain('svc_notification_emails_total{outcome="sent"} 3');
  });

  test('is not sent if no mail server is configured', async () => {
    await using api = await startApi(options);
    await disableAnEndpoint(api);
    expect(await notificationsOf(api)).toHaveLength(3);
    expect(await (await fetch(`${api.server.url}/metrics`)).text()).toContain('emails_total{outcome="sent"} 0');
  });

  test('stays queued while the mail server is down, delays nothing else, and is retried on the retry schedule', async () => {
    const port = await freePort();
    await using api = await startApi({ ...options, smtp: `smtp://127.0.0.1:${port}` });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    await disableAnEndpoint(api);
    const attempts = async (outcome: string) =>
      Number(
        new RegExp(`emails_total{outcome="${outcome}"} (\\d+)`).exec(
          await (await fetch(`${api.server.url}/metrics`)).text(),
        )?.[1],
      );
    await vi.waitFor(async () => expect(await attempts('retry')).toBe(3));
    await using mail = await startMailServer(port);
    await api.call('POST', '/_control/clock', { body: { advance: 'PT299.999S' } });
    expect(mail.messages).toEqual([]);
    await api.call('POST', '/_control/clock', { body: { advance: 'PT0.001S' } });
    await vi.waitFor(() => expect(receivers(mail.messages)).toEqual(EMAILS));
    await vi.waitFor(async () => expect(await attempts('sent')).toBe(3));
  });

  test('is not sent to users who have lost their access before the email is retried', async () => {
    const port = await freePort();
    await using api = await startApi({ ...options, smtp: `smtp://127.0.0.1:${port}` });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    await disableAnEndpoint(api);
    const metric = async () => await (await fetch(`${api.server.url}/metrics`)).text();
    await vi.waitFor(async () => expect(await metric()).toContain('emails_total{outcome="retry"} 3'));
    await using mail = await startMailServer(port);
    const users = (await notificationsOf(api)).map(({ userId }: { userId: string }) => userId);
    const [denied, removed] = await Promise.all([
      api.call('PUT', `/_control/workspaces/${demo.production.id}/members/${users[0]}`, { body: { role: 'None' } }),
      api.call('PUT', `/_control/organizations/${demo.acmeId}/members/${users[1]}`, { body: { role: null } }),
    ]);
    expect([denied.status, removed.status]).toEqual([200, 200]);
    await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    await vi.waitFor(() => expect(receivers(mail.messages)).toHaveLength(1));
    // The emails to the other two users are not queued any more.
    await api.call('POST', '/_control/clock', { body: { advance: '10d' } });
    expect(receivers(mail.messages)).toHaveLength(1);
  });

  test('that a restored snapshot contains is sent after the restore', async () => {
    const held = Promise.withResolvers<Error>();
    let asked = 0;
    await using mail = await startMailServer(0, () => (++asked > EMAILS.length ? undefined : held.promise));
    await using api = await startApi({ ...options, smtp: `smtp://127.0.0.1:${mail.port}` });
    await disableAnEndpoint(api);
    await vi.waitFor(() => expect(asked).toBe(EMAILS.length));
    await api.call('POST', '/_control/snapshots/unsent', { body: {} });
    await api.call('POST', '/_control/reset', { body: {} });
    held.resolve(new Error('The mail server is down.'));
    const metric = async () => await (await fetch(`${api.server.url}/metrics`)).text();
    await vi.waitFor(async () => expect(await metric()).toContain('emails_total{outcome="retry"} 3'));
    expect((await api.call('POST', '/_control/snapshots/unsent/restore', { body: {} })).status).toBe(200);
    await vi.waitFor(() => expect(receivers(mail.messages)).toEqual(EMAILS));
  });

  test('that is due when a server starts contains the address of that server', async () => {
    await using cleanup = new AsyncDisposableStack();
    const dataDir = await mkdtemp(join(tmpdir(), 'svc-emails-'));
    cleanup.defer(() => rm(dataDir, { recursive: true }));
    const database = onPostgres ? cleanup.use(await createTestDatabase()) : undefined;
    const place = {
      ...options,
      dataDir,
      masterKey: TEST_MASTER_KEY,
      ...(database && { databaseUrl: database.url }),
    };
    let endpointId: string;
    {
      await using api = await startApi({ ...place, smtp: `smtp://127.0.0.1:${await freePort()}` });
      endpointId = await disableAnEndpoint(api);
    }
    {
      // Without a mail server, the time of the second attempt passes and nothing is sent.
      await using api = await startApi(place);
      await api.call('POST', '/_control/clock', { body: { advance: '1h' } });
    }
    await using mail = await startMailServer();
    await using api = await startApi({ ...place, smtp: `smtp://127.0.0.1:${mail.port}` });
    await vi.waitFor(() => expect(receivers(mail.messages)).toEqual(EMAILS));
    const link = `PATCH ${api.server.url}/v1/webhooks/endpoints/${endpointId}`;
    for (const { text } of mail.messages) expect(unfolded(text)).toContain(link);
  });

  test('is sent again after each refusal, but not after the eleventh', async () => {
    let refusals = 0;
    await using mail = await startMailServer(0, () => {
      refusals++;
      return new Error('Mailbox is full');
    });
    await using api = await startApi({ ...options, smtp: `smtp://127.0.0.1:${mail.port}` });
    await api.call('POST', '/_control/clock', { body: { freeze: true } });
    await disableAnEndpoint(api);
    for (let attempt = 1; attempt <= 11; attempt++) {
      await vi.waitFor(() => expect(refusals).toBe(3 * attempt));
      const metrics = async () => await (await fetch(`${api.server.url}/metrics`)).text();
      const [retries, failures] = attempt < 11 ? [3 * attempt, 0] : [30, 3];
      await vi.waitFor(async () => expect(await metrics()).toContain(`emails_total{outcome="retry"} ${retries}\n`));
      await vi.waitFor(async () => expect(await metrics()).toContain(`emails_total{outcome="failed"} ${failures}\n`));
      await api.call('POST', '/_control/clock', { body: { advance: '12h' } });
    }
    expect(refusals).toBe(33);
    expect(await notificationsOf(api)).toHaveLength(3);
  });

  test.each(['mail.example.test', 'http://mail.example.test', 'smtp://'])(
    'needs a valid mail server: %s is refused, without showing its password',
    async (smtp) => {
      const started = startServer({ port: 0, dataDir: null, smtp: smtp.replace('//', '//user:hunter2@') });
      await expect(started).rejects.toThrow(ConfigError);
      await expect(started).rejects.not.toThrow(/hunter2/);
    },
  );
});
