import * as library from '@svc/webhooks';
import { checkVectors, type Vector } from './check-vectors.ts';
import document from './vectors.json' with { type: 'json' };

// Run by each runtime under test; what it prints is read by test/runtimes.test.ts.
console.log(JSON.stringify(checkVectors(document.vectors as Vector[], library)));
