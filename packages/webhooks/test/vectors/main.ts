import * as library from '@svc/webhooks';
import { checkVectors, type Vector } from './check-vectors.ts';
import document from './vectors.json' with { type: 'json' };

// Each runtime under test runs this. test/runtimes.test.ts reads what it prints.
console.log(JSON.stringify(checkVectors(document.vectors as Vector[], library)));
