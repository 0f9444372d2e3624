import { createClient } from '@svc/client';
import { replayFailed } from './replay-failed.ts';

// Usage: SVC_API_KEY=… node src/main.ts
// Replays the failed deliveries that were created in the last five days. A delivery fails after its last attempt, 77 h
// 35 min after the delivery was created. Run this program within a day and a half of the failure. After that, the
// delivery is more than five days old. A second run replays the same deliveries again.
const LOOK_BACK_MS = 5 * 86_400_000;

const apiKey = process.env['SVC_API_KEY'];
if (!apiKey) throw new Error('Set SVC_API_KEY to an API key.');
await using svc = createClient({ apiKey, baseUrl: process.env['SVC_BASE_URL'] ?? 'http://127.0.0.1:4010' });
const replayed = await replayFailed(svc, new Date(Date.now() - LOOK_BACK_MS));
for (const { deliveryId, reason, result } of replayed) console.log(`${deliveryId}  ${reason}  ${result}`);
console.log(`Failed deliveries: ${replayed.length}`);
