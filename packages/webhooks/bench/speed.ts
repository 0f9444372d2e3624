import { createHmac } from 'node:crypto';
import { Webhooks as Octokit } from '@octokit/webhooks';
import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import OpenAI from 'openai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as Svix } from 'svix';
import { interleave } from './interleave.ts';
import { ID, KEY, messageOf, SECRET } from './message.ts';

const SIZES = [
  [250, '250 B'],
  [4096, '4 KB'],
  [262_144, '256 KB'],
] as const;

/** Verification of the signature, and verification with parsing, beside the other libraries. */
export async function printSpeed(): Promise<void> {
  const ours = createWebhooks({ secrets: SECRET });
  const standard = new StandardWebhook(SECRET);
  const svix = new Svix(SECRET);
  const stripe = new Stripe('sk_test_unused');
  const octokit = new Octokit({ secret: SECRET });
  const openai = new OpenAI({ apiKey: 'unused', webhookSecret: SECRET });
  for (const [size, label] of SIZES) {
    const { body, bytes, headers, timestamp, stripeHeader, octokitHeader } = messageOf(size);
    const bare = () => createHmac('sha256', KEY).update(`${ID}.${timestamp}.`).update(bytes).digest('base64');
    await print(`Signature alone, body of ${label}`, 'verifySignature', {
      verifySignature: () => ours.verifySignature({ headers, body: bytes }),
      'standardwebhooks verify, jsonParse: false': () => standard.verify(bytes, headers, { jsonParse: false }),
      'bare createHmac': bare,
    });
    await print(`With parsing, body of ${label}`, 'verify', {
      verify: () => ours.verify({ headers, body: bytes }),
      verifyWebhook: () => verifyWebhook({ secrets: SECRET, headers, body: bytes }),
      'stripe constructEvent': () => stripe.webhooks.constructEvent(bytes, stripeHeader, SECRET),
      'standardwebhooks verify': () => standard.verify(bytes, headers),
      'svix verify': () => svix.verify(bytes, headers),
      'octokit verify and JSON.parse': async () => (await octokit.verify(body, octokitHeader)) && JSON.parse(body),
      'openai unwrap': () => openai.webhooks.unwrap(body, headers),
      'bare createHmac and JSON.parse': () => [bare(), JSON.parse(body)],
    });
  }
}

async function print(title: string, own: string, acts: Record<string, () => unknown>): Promise<void> {
  const times = await interleave(acts);
  console.log(title);
  for (const [name, us] of Object.entries(times)) {
    console.log(
      `  ${name.padEnd(42)}${us.toFixed(2).padStart(10)} µs${(us / (times[own] ?? 1)).toFixed(2).padStart(8)} ×`,
    );
  }
  console.log();
}
