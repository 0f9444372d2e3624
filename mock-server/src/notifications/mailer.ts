import { RETRY_DELAYS_MS } from '@svc/contract';
import type { SendMailOptions, Transporter } from 'nodemailer';
import { disabledEndpointEmail } from '../domain/notification-email.ts';
import type { Logger } from '../runtime/logger.ts';
import { createWorkLoop } from '../runtime/work-loop.ts';
import type { Storage } from '../storage/port.ts';
import {
  type ClaimedEmail,
  claimEmails,
  findEmailContent,
  postponeEmail,
  removeEmail,
} from '../storage/statements/notifications.ts';
import type { ReadOnlyClock } from '../time/clock.ts';

/** After `retry`, the mailer sends the email again later. After `failed`, the mailer gives up. */
export type EmailOutcome = 'sent' | 'retry' | 'failed';

export interface MailerOptions {
  storage: Storage;
  clock: ReadOnlyClock;
  logger: Logger;
  smtp: { url: string; from: string };
  /** Emails contain a link, so no email is sent while this URL is undefined. */
  publicUrl(): string | undefined;
  onOutcome(outcome: EmailOutcome): void;
  /** The time limit for one attempt, in real time. Default: 45 s. */
  attemptMaxMs?: number;
}

const BATCH = 10;
/** How long a node leases an email: longer than any attempt, so that no other node sends it during the attempt. */
const LEASE_MS = 60_000;
const ATTEMPT_MAX_MS = 45_000;
/** How often to look for due emails, including the emails of other nodes and emails whose lease has ended. */
const POLL_MS = 1_000;
/** How long a running attempt may continue when the server closes. */
const CLOSE_MS = 5_000;
const LIMITS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 15_000 };

export async function startMailer(options: MailerOptions) {
  const { storage, clock, logger, smtp, attemptMaxMs = ATTEMPT_MAX_MS } = options;
  const mailServer = await useMailServer(smtp.url, attemptMaxMs);
  const redact = createPasswordRedaction(smtp.url);
  const looks = createWorkLoop({
    run: look,
    failed: (error) => logger.warn({ err: error }, 'cannot look for due emails'),
  });

  async function look(): Promise<void> {
    const baseUrl = options.publicUrl();
    if (baseUrl !== undefined) {
      const claim = { now: clock.now(), leaseMs: LEASE_MS, limit: BATCH };
      const emails = await storage.write((queries) => claimEmails(queries, claim));
      await Promise.all(emails.map((email) => send(email, baseUrl)));
      if (emails.length > 0) return looks.request();
    }
    looks.requestIn(POLL_MS);
  }

  async function send(email: ClaimedEmail, baseUrl: string): Promise<void> {
    const content = await storage.read((queries) => findEmailContent(queries, email.notificationId));
    if (!content) return await storage.write((queries) => removeEmail(queries, email));
    const { subject, text, html } = disabledEndpointEmail({
      ...content,
      at: new Date(content.createdAt).toISOString(),
      baseUrl,
    });
    // With the same id for all attempts, the recipient's mail server can recognize a duplicate.
    const messageId = `<${email.notificationId}@svc-mock>`;
    try {
      const to = { name: content.userName, address: content.to };
      await mailServer.send({ from: smtp.from, to, subject, text, html, messageId });
    } catch (error) {
      return await failed(email, error as Error);
    }
    await storage.write((queries) => removeEmail(queries, email));
    options.onOutcome('sent');
  }

  async function failed(email: ClaimedEmail, error: Error): Promise<void> {
    const delayMs = RETRY_DELAYS_MS[email.attempt];
    const reason = redact(error.message);
    const about = { notificationId: email.notificationId, attempt: email.attempt + 1, reason };
    if (delayMs === undefined) {
      await storage.write((queries) => removeEmail(queries, email));
      logger.error(about, 'cannot send an email; giving up');
      options.onOutcome('failed');
      return;
    }
    await storage.write((queries) => postponeEmail(queries, email, clock.now() + delayMs));
    logger.warn(about, 'cannot send an email; will retry');
    options.onOutcome('retry');
  }

  looks.request();
  return {
    wake: looks.request,
    async [Symbol.asyncDispose](): Promise<void> {
      const timeIsUp = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([looks.stop(), timeIsUp]);
      mailServer.close();
    },
  };
}

/** Creates a mail client. If an email takes longer than `maxMs`, `send` rejects and closes that email's connection. */
async function useMailServer(url: string, maxMs: number) {
  // Load nodemailer only if the server sends emails.
  const { createTransport } = await import('nodemailer');
  const transport: Transporter = createTransport({ url, pool: true, maxConnections: BATCH, ...LIMITS } as object);
  return {
    close: () => transport.close(),
    async send(message: SendMailOptions): Promise<void> {
      // nodemailer would wait forever for a mail server that is slow but never silent.
      const signal = AbortSignal.timeout(maxMs);
      const abortable: SendMailOptions & { signal: AbortSignal } = { ...message, signal };
      try {
        await transport.sendMail(abortable);
      } catch (error) {
        throw signal.aborted ? new Error(`The mail server took longer than ${maxMs / 1_000} s.`) : error;
      }
    },
  };
}

/** A mail server's error may quote the AUTH LOGIN or AUTH PLAIN command, which contains the password in Base64. */
function createPasswordRedaction(url: string): (text: string) => string {
  const { username, password } = new URL(url);
  if (password === '') return (text) => text;
  const [user, plain] = [decoded(username), decoded(password)];
  const inBase64 = [`\0${user}\0${plain}`, plain].map((text) => Buffer.from(text).toString('base64'));
  // Replace the longest form first, because it may contain a shorter form.
  const forms = [...inBase64, password, plain].sort((a, b) => b.length - a.length);
  return (text) => forms.reduce((rest, form) => rest.replaceAll(form, '[redacted]'), text);
}

/** Decodes a part of the URL. If a `%` begins no escape, returns the part unchanged, as nodemailer does. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
