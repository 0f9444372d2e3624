import { createHmac, createSecretKey } from 'node:crypto';
import { Webhooks as Octokit } from '@octokit/webhooks';
import { createWebhooks, verifyWebhook } from '@svc/webhooks';
import OpenAI from 'openai';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import Stripe from 'stripe';
import { Webhook as Svix } from 'svix';
import { interleave } from './interleave.ts';
import { ID, KEY, messageOf, SECRET } from './message.ts';
import type { Figure } from './targets.ts';

/**
 * The body sizes with their targets. A target is the minimum ratio of this package's speed to another library's speed.
 * The three targets are for standardwebhooks, for stripe with bytes, and for stripe with text.
 */
const SIZES = [
  [250, '250 B', 2.5, 1.2, 1],
  [4096, '4 KB', 5, 1.3, 1],
  [262_144, '256 KB', 9, 1.8, 1],
] as const;

const FLOOR = 'createHmac, decode and JSON.parse';

/** Prints how fast each library verifies, with and without parsing. Returns the figures that have a target. */
export async function printSpeed(): Promise<Figure[]> {
  const figures: Figure[] = [];
  const ours = createWebhooks({ secrets: SECRET });
  const standard = new StandardWebhook(SECRET);
  const svix = new Svix(SECRET);
  const stripe = new Stripe('sk_test_unused');
  const octokit = new Octokit({ secret: SECRET });
  const openai = new OpenAI({ apiKey: 'unused', webhookSecret: SECRET });
  const key = createSecretKey(KEY);
  for (const [size, label, standardTarget, stripeTarget, textTarget] of SIZES) {
    const { body, bytes, headers, timestamp, stripeHeader, octokitHeader } = messageOf(size);
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    const hashed = () => createHmac('sha256', key).update(`${ID}.${timestamp}.`).update(bytes).digest('base64');
    const bare = () => createHmac('sha256', KEY).update(`${ID}.${timestamp}.`).update(bytes).digest('base64');
    const alone = await print(`Signature alone, body of ${label}`, 'verifySignature', {
      verifySignature: () => ours.verifySignature({ headers, body: bytes }),
      'standardwebhooks verify, jsonParse: false': () => standard.verify(bytes, headers, { jsonParse: false }),
      'bare createHmac': bare,
    });
    const parsed = await print(`With parsing, body of ${label}`, 'verify', {
      verify: () => ours.verify({ headers, body: bytes }),
      'verify, text': () => ours.verify({ headers, body }),
      verifyWebhook: () => verifyWebhook({ secrets: SECRET, headers, body: bytes }),
      'stripe constructEvent': () => stripe.webhooks.constructEvent(bytes, stripeHeader, SECRET),
      'stripe constructEvent, text': () => stripe.webhooks.constructEvent(body, stripeHeader, SECRET),
      'standardwebhooks verify': () => standard.verify(bytes, headers),
      'svix verify': () => svix.verify(bytes, headers),
      'octokit verify and JSON.parse': async () => (await octokit.verify(body, octokitHeader)) && JSON.parse(body),
      'openai unwrap': () => openai.webhooks.unwrap(body, headers),
      // The time that Node alone needs for the same steps. For short bodies, this package can be faster, because it
      // does not create an HMAC object.
      [FLOOR]: () => [hashed(), JSON.parse(decoder.decode(bytes))],
    });
    const floor = ((parsed['stripe constructEvent'] ?? 0) / (parsed[FLOOR] ?? 1)).toFixed(2);
    console.log(`The floor, ${FLOOR}, is ${floor} times as fast as stripe at ${label}\n`);
    const ratio = (times: Record<string, number>, theirs: string, own: string) =>
      (times[theirs] ?? 0) / (times[own] ?? 1);
    const standardwebhooks = ratio(alone, 'standardwebhooks verify, jsonParse: false', 'verifySignature');
    const bytesToStripe = ratio(parsed, 'stripe constructEvent', 'verify');
    const textToStripe = ratio(parsed, 'stripe constructEvent, text', 'verify, text');
    figures.push(
      { figure: `times standardwebhooks, ${label}`, value: standardwebhooks, atLeast: standardTarget },
      { figure: `times stripe, ${label}`, value: bytesToStripe, atLeast: stripeTarget },
      { figure: `times stripe, text of ${label}`, value: textToStripe, atLeast: textTarget },
    );
  }
  return figures;
}

async function print(title: string, own: string, acts: Record<string, () => unknown>): Promise<Record<string, number>> {
  const times = await interleave(acts);
  console.log(title);
  for (const [name, us] of Object.entries(times)) {
    console.log(
      `  ${name.padEnd(42)}${us.toFixed(2).padStart(10)} µs${(us / (times[own] ?? 1)).toFixed(2).padStart(8)} ×`,
    );
  }
  console.log();
  return times;
}
