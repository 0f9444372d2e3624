import { createClient } from '@svc/client';
import { replayFailed } from './replay-failed.ts';

// SVC_API_KEY=… node src/main.ts replays the failed deliveries of the last 24 hours.
const apiKey = process.env['SVC_API_KEY'];
if (!apiKey) throw new Error('Set SVC_API_KEY to an API key.');
await using svc = createClient({ apiKey, baseUrl: process.env['SVC_URL'] ?? 'http://127.0.0.1:4010' });
const replayed = await replayFailed(svc, new Date(Date.now() - 86_400_000));
for (const { deliveryId, reason, result } of replayed) console.log(`${deliveryId}  ${reason}  ${result}`);
console.log(`${replayed.length} deliveries had failed.`);
