import { createWebhooks } from '@svc/webhooks';
import { signWebhook } from '@svc/webhooks/testing';
import { checkSignatures } from './check-signatures.ts';

// Each runtime under test runs this. test/runtimes.test.ts reads what it prints.
console.log(JSON.stringify(checkSignatures({ createWebhooks, signWebhook })));
